// SGF with everything that the page knows: variations, comments, marks.
import { moveName, PASS } from '../model/rules';
import type { Node, Tree } from '../model/tree';

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
