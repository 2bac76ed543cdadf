// SGF with everything that the page knows: variations, comments, marks.
import type { Rule } from '../model/gomoku';
import { gomokuStart, moveName, parseMove, PASS } from '../model/rules';
import { annotate, insert, newTree, nodeAt, type Mark, type Node, type Path, type Tree } from '../model/tree';

const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll(']', '\\]');
const SHAPE = { circle: 'CR', triangle: 'TR', square: 'SQ', cross: 'MA', letter: 'LB' } as const;
const GLYPH: Record<string, string> = { '!!': 'TE[2]', '!': 'TE[1]', '!?': 'IT[]', '?!': 'DO[]', '?': 'BM[1]', '??': 'BM[2]' };

/** SGF counts rows from the top and writes both coordinates as letters. */
function point(tree: Tree, move: number): string {
  const { start } = tree;
  const size = start.game === 'othello' ? 8 : start.size;
  const x = move % size;
  const row = Math.floor(move / size);
  const y = start.game === 'othello' ? row : size - 1 - row;
  return String.fromCharCode(97 + x, 97 + y);
}

export function writeSgf(tree: Tree): string {
  const { start } = tree;
  const name = (move: number): string => (start.game === 'othello' ? (move === PASS ? '' : moveName(start, move)) : point(tree, move));
  const notes = (node: Node): string => {
    let text = '';
    if (node.comment) text += `C[${escape(node.comment)}]`;
    if (node.glyph) text += GLYPH[node.glyph] ?? '';
    for (const mark of node.marks ?? []) {
      const at = start.game === 'othello' ? moveName(start, mark.at) : point(tree, mark.at);
      text += mark.shape === 'letter' ? `LB[${at}:${escape(mark.text ?? 'A')}]` : `${SHAPE[mark.shape]}[${at}]`;
    }
    return text;
  };
  const write = (node: Node, side: string): string => {
    const own = `;${side}[${name(node.move)}]${notes(node)}`;
    return own + branches(node, side === 'B' ? 'W' : 'B');
  };
  const branches = (node: Node, side: string): string => {
    if (node.children.length === 1) return write(node.children[0]!, side);
    return node.children.map((child) => `(${write(child, side)})`).join('');
  };
  let head = start.game === 'othello' ? ';FF[4]GM[2]CA[UTF-8]SZ[8]' : `;FF[4]GM[4]CA[UTF-8]SZ[${start.size}]`;
  const tags: Record<string, string> = { Black: 'PB', White: 'PW', Event: 'EV', Date: 'DT', Result: 'RE' };
  for (const [tag, key] of Object.entries(tags)) if (tree.tags[tag]) head += `${key}[${escape(tree.tags[tag])}]`;
  const stones = (side: string): string => [...start.cells].map((cell, at) => (cell === side ? `[${start.game === 'othello' ? moveName(start, at) : point(tree, at)}]` : '')).join('');
  const [black, white] = [stones('X'), stones('O')];
  if (start.game === 'othello') head += `AB${black || '[]'}AW${white || '[]'}`.replaceAll(/A[BW]\[\]/g, '');
  head += `PL[${start.side === 'X' ? 'B' : 'W'}]${notes(tree.root)}`;
  return `(${head}${branches(tree.root, start.side === 'X' ? 'B' : 'W')})\n`;
}

const RULE: readonly [RegExp, Rule][] = [
  [/renju/i, 'renju'],
  [/standard/i, 'standard'],
  [/caro/i, 'caro'],
];
const SIGN: Record<string, string> = { TE2: '!!', TE1: '!', IT: '!?', DO: '?!', BM1: '?', BM2: '??' };

/**
 * A game of five in a row, with variations, comments and marks; null where there is none in the text.
 * Moves that are not legal end their variation. Games that begin with stones on the board are not read.
 */
export function readSgf(text: string, rule: Rule): Tree | null {
  const from = text.search(/\(\s*;/);
  if (from < 0 || /(?:^|[\];\s])A[BW]\s*\[/.test(text)) return null;
  const size = Number(/SZ\s*\[(\d+)/.exec(text)?.[1] ?? 15);
  if (!/GM\s*\[4\]/.test(text) || size < 5 || size > 20) return null;
  const said = /RU\s*\[([^\]]*)/.exec(text)?.[1] ?? '';
  let tree = newTree(gomokuStart(size, RULE.find(([words]) => words.test(said))?.[1] ?? rule));
  let path: Path = [];
  const stack: Path[] = [];
  // Whether the variation is still one of legal moves.
  let alive = true;
  const lives: boolean[] = [];
  const at = (value: string): number | null => {
    const found = /^([a-t])([a-t])$/.exec(value.trim());
    if (!found) return parseMove(tree.start, value.trim());
    const [x, row] = [found[1]!.charCodeAt(0) - 97, found[2]!.charCodeAt(0) - 97];
    return x < size && row < size ? (size - 1 - row) * size + x : null;
  };
  const change = (next: Partial<Pick<Node, 'comment' | 'glyph' | 'marks'>>): void => {
    tree = annotate(tree, path, next);
  };
  const property = (name: string, values: readonly string[]): void => {
    const [first = ''] = values;
    if (name === 'B' || name === 'W') {
      const move = alive ? at(first) : null;
      const next = move === null ? null : insert(tree, path, move);
      if (next) ({ tree, path } = next);
      else alive = false;
    } else if (!alive) return;
    else if (name === 'C' && first) change({ comment: first });
    else if (SIGN[name + first] ?? SIGN[name]) change({ glyph: SIGN[name + first] ?? SIGN[name]! });
    else {
      const shape = (Object.entries(SHAPE) as [Mark['shape'], string][]).find(([, key]) => key === name)?.[0];
      const marks = shape && values.flatMap((value): Mark[] => {
        const [place = '', label] = value.split(':');
        const point = at(place);
        return point === null || point >= tree.start.cells.length ? [] : [{ at: point, shape, ...(shape === 'letter' && { text: (label ?? 'A').slice(0, 3) }) }];
      });
      if (marks) change({ marks: [...(nodeAt(tree, path).marks ?? []), ...marks] });
    }
  };
  const token = /([();])|([A-Z]+)\s*((?:\[(?:\\[^]|[^\]\\])*\]\s*)+)/g;
  token.lastIndex = from;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [, sign, name, values] = found;
    if (sign === '(') {
      stack.push(path);
      lives.push(alive);
    } else if (sign === ')') {
      path = stack.pop() ?? [];
      alive = lives.pop() ?? false;
      if (stack.length === 0) break;
    } else if (name && values) property(name, [...values.matchAll(/\[((?:\\[^]|[^\]\\])*)\]/g)].map(([, value]) => value!.replaceAll(/\\([^])/g, '$1')));
  }
  return tree.root.children.length > 0 ? tree : null;
}
