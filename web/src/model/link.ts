// The address of everything on the page: `#/screen/game@place?options`. Every part may be typed by hand, and none throws.
import { RULES, type Rule } from './gomoku';
import { gomokuStart, isOver, moveName, mustPass, OTHELLO_START, parseMove, PASS, type Position } from './rules';
import { annotate, insert, mainFrom, newTree, nodeAt, positionAt, type Mark, type Node, type Path, type Tree } from './tree';

export const SCREENS = ['play', 'analyze', 'explore', 'solve', 'puzzles', 'library', 'settings'] as const;
export type Screen = (typeof SCREENS)[number];

export interface Link {
  readonly screen: Screen;
  readonly tree: Tree | null;
  readonly path: Path;
  /** What stands where a game would, on screens that have none: the name of a set of puzzles. */
  readonly argument: string;
  readonly options: Readonly<Record<string, string>>;
  /** What could not be read, each with its place in the text; empty if everything could. */
  readonly problems: readonly string[];
}

const MOST_NODES = 20_000;
const MOST_NOTES = 1 << 20;

const bytesToText = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

function textToBytes(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/** 22 characters for the discs of both colors, and `b` or `w`. */
export function packBoard(position: Position): string {
  const bytes = new Uint8Array(16);
  [...position.cells].forEach((cell, square) => {
    if (cell === '-') return;
    const at = (cell === 'X' ? 0 : 8) + (square >> 3);
    bytes[at] = bytes[at]! | (128 >> (square & 7));
  });
  return bytesToText(bytes) + (position.side === 'X' ? 'b' : 'w');
}

function readBoard(text: string): Position | null {
  if (/^[XO-]{64}[XO]$/.test(text)) return { game: 'othello', cells: text.slice(0, 64), side: text[64] as 'X' | 'O' };
  if (!/^[\w-]{22}[bw]$/.test(text)) return null;
  const bytes = textToBytes(text.slice(0, 22));
  if (bytes?.length !== 16) return null;
  let cells = '';
  for (let square = 0; square < 64; square += 1) {
    const bit = 128 >> (square & 7);
    const black = bytes[square >> 3]! & bit;
    const white = bytes[8 + (square >> 3)]! & bit;
    if (black && white) return null;
    cells += black ? 'X' : white ? 'O' : '-';
  }
  return { game: 'othello', cells, side: text[22] === 'b' ? 'X' : 'O' };
}

/** Moves with variations in parentheses after the move that they replace; passes only where nothing follows. */
function writeMoves(tree: Tree): string {
  const writeFrom = (node: Node, before: Position, path: Path): string => {
    let text = '';
    node.children.forEach((child, index) => {
      const move = moveText(child, before);
      const rest = index === 0 ? '' : writeFrom(child, positionAt(tree, [...path, index]), [...path, index]);
      text += index === 0 ? move : `(${move}${rest})`;
    });
    const first = node.children[0];
    return first ? text + writeFrom(first, positionAt(tree, [...path, 0]), [...path, 0]) : text;
  };
  return writeFrom(tree.root, tree.start, []);
}

function moveText(node: Node, before: Position): string {
  if (before.game === 'othello' && node.move === PASS) return node.children.length === 0 ? 'pa' : '';
  return moveName(before, node.move);
}

export function writeGame(tree: Tree): string {
  const moves = writeMoves(tree);
  if (tree.start.game === 'gomoku') return `g${tree.start.size}${tree.start.rule[0]}:${moves}`;
  return tree.start.cells === OTHELLO_START.cells && tree.start.side === 'X' ? moves : `${packBoard(tree.start)}~${moves}`;
}

/** Reads what `writeGame` wrote, or a person typed; what cannot be read is named, and what stands before it is kept. */
export function readGame(text: string): { tree: Tree; problems: string[] } {
  const problems: string[] = [];
  let start = OTHELLO_START;
  let at = 0;
  const gomoku = /^g(\d{1,2})([fsrc]):/.exec(text);
  const tilde = text.indexOf('~');
  if (gomoku) {
    const size = Number(gomoku[1]);
    const rule = RULES.find((name) => name.startsWith(gomoku[2]!)) as Rule;
    if (size < 5 || size > 20) problems.push(`${text.slice(0, 4)}: 5-20`);
    start = gomokuStart(Math.min(20, Math.max(5, size)), rule);
    at = gomoku[0].length;
  } else if (tilde >= 0) {
    const board = readBoard(text.slice(0, tilde));
    if (!board) return { tree: newTree(start), problems: [text.slice(0, tilde + 1)] };
    start = board;
    at = tilde + 1;
  }
  let tree = newTree(start);
  let path: Path = [];
  const stack: Path[] = [];
  let nodes = 0;
  while (at < text.length && problems.length === 0) {
    const char = text[at]!;
    if (char === '(') {
      // The variation replaces the move before it; without one there is nothing to replace.
      if (path.length === 0) problems.push(text.slice(at, at + 12));
      stack.push(path);
      path = path.slice(0, -1);
      at += 1;
    } else if (char === ')') {
      const back = stack.pop();
      if (back) path = back;
      else problems.push(text.slice(at, at + 12));
      at += 1;
    } else {
      const name = /^(pa|[a-t](?:1\d|20|\d))/i.exec(text.slice(at))?.[0];
      const word = name && start.game === 'othello' && name !== 'pa' ? name.slice(0, 2) : name;
      const move = word ? parseMove(start, word) : null;
      if (move !== null && start.game === 'othello' && move !== PASS && mustPass(positionAt(tree, path))) {
        path = insert(tree, path, PASS) ? ({ tree, path } = insert(tree, path, PASS)!).path : path;
      }
      const next = move === null || nodes > MOST_NODES ? null : insert(tree, path, move);
      if (next) {
        ({ tree, path } = next);
        nodes += 1;
        at += word!.length;
      } else problems.push(text.slice(at, at + 12));
    }
  }
  return { tree, problems };
}

/** `@5.1.3`: five moves of the main line, then the first variation there up to its third move, and so on. */
export function writePlace(path: Path): string {
  const parts: number[] = [0];
  for (const step of path) {
    if (step > 0) parts.push(step, 1);
    else parts[parts.length - 1]! += 1;
  }
  return parts.join('.');
}

export function readPlace(text: string): Path {
  const path: number[] = [];
  const numbers = text.split('.').map((part) => Math.min(Number.parseInt(part, 10) || 0, 500));
  numbers.slice(0, 400).forEach((number, i) => {
    if (i === 0) path.push(...Array<number>(number).fill(0));
    else if (i % 2 === 1) path.push(number);
    else path.push(...Array<number>(Math.max(0, number - 1)).fill(0));
  });
  return path;
}

type Note = [place: string, glyph: string, comment: string, ...marks: [at: number, shape: Mark['shape'], text?: string][]];

function notesOf(tree: Tree): { n: Note[]; t?: Record<string, string> } {
  const n: Note[] = [];
  const walk = (node: Node, path: Path): void => {
    if (node.comment || node.glyph || node.marks?.length) {
      const marks = (node.marks ?? []).map((mark): [number, Mark['shape'], string?] =>
        mark.text === undefined ? [mark.at, mark.shape] : [mark.at, mark.shape, mark.text],
      );
      n.push([writePlace(path), node.glyph ?? '', node.comment ?? '', ...marks]);
    }
    node.children.forEach((child, i) => walk(child, [...path, i]));
  };
  walk(tree.root, []);
  return Object.keys(tree.tags).length > 0 ? { n, t: { ...tree.tags } } : { n };
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    // A few bytes can stand for gigabytes of zeros.
    if (length > MOST_NOTES) throw new RangeError('notes too long');
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

export async function packNotes(tree: Tree): Promise<string> {
  const notes = notesOf(tree);
  if (notes.n.length === 0 && !notes.t) return '';
  const bytes = new TextEncoder().encode(JSON.stringify(notes));
  return bytesToText(await through(bytes, new CompressionStream('deflate-raw')));
}

const SHAPES = new Set(['circle', 'triangle', 'square', 'cross', 'letter']);
const GLYPH = /^(!!?|\?\??|!\?|\?!)$/;

function readMark(mark: unknown, cells: number): Mark | null {
  if (!Array.isArray(mark)) return null;
  const [at, shape, text] = mark as unknown[];
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at >= cells || !SHAPES.has(shape as string)) return null;
  return { at, shape: shape as Mark['shape'], ...(typeof text === 'string' && { text: text.slice(0, 3) }) };
}

async function readNotes(tree: Tree, packed: string): Promise<Tree | null> {
  const bytes = textToBytes(packed);
  if (!bytes) return null;
  try {
    const text = new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')));
    const { n, t } = JSON.parse(text) as { n: unknown; t?: unknown };
    if (!Array.isArray(n)) return null;
    for (const note of n as unknown[]) {
      if (!Array.isArray(note)) continue;
      const [place, glyph, comment, ...marks] = note as unknown[];
      if (typeof place !== 'string' || typeof glyph !== 'string' || typeof comment !== 'string') continue;
      const path = readPlace(place);
      tree = annotate(tree, path, {
        ...(GLYPH.test(glyph) && { glyph }),
        comment,
        marks: marks.flatMap((mark) => readMark(mark, tree.start.cells.length) ?? []),
      });
    }
    if (t && typeof t === 'object') {
      const tags = Object.entries(t).filter((tag): tag is [string, string] => typeof tag[1] === 'string');
      tree = { ...tree, tags: Object.fromEntries(tags) };
    }
    return tree;
  } catch {
    return null;
  }
}

export async function writeLink(link: Pick<Link, 'screen' | 'tree' | 'path'> & { argument?: string; options?: Record<string, string> }): Promise<string> {
  const options = new URLSearchParams(link.options ?? {});
  let middle = link.argument ? encodeURIComponent(link.argument) : '';
  if (link.tree) {
    middle = writeGame(link.tree);
    const place = writePlace(link.path);
    // The end of the main line is where a link leads that says nothing else.
    if (place !== writePlace(mainFrom(link.tree, []))) middle += `@${place}`;
    const notes = await packNotes(link.tree);
    if (notes) options.set('n', notes);
  }
  const query = options.toString();
  return `#/${link.screen}${middle ? `/${middle}` : ''}${query ? `?${query}` : ''}`;
}

export async function readLink(fragment: string): Promise<Link> {
  const problems: string[] = [];
  let text = fragment.startsWith('#') ? fragment.slice(1) : fragment;
  try {
    // Programs that pass links on write parentheses and tildes as %28, %29 and %7E.
    text = text.replace(/%(28|29|7E|40|2C)/gi, decodeURIComponent);
  } catch {
    problems.push(text.slice(0, 12));
  }
  const question = text.indexOf('?');
  const options = Object.fromEntries(new URLSearchParams(question < 0 ? '' : text.slice(question + 1)));
  const [, name = '', ...rest] = (question < 0 ? text : text.slice(0, question)).split('/');
  const known = SCREENS.find((screen) => screen === name);
  if (name && !known) problems.push(name.slice(0, 24));
  const screen = known ?? 'play';
  const [gameText = '', place] = rest.join('/').split('@');
  if (screen === 'puzzles' || screen === 'library' || screen === 'settings') {
    return { screen, tree: null, path: [], argument: gameText.slice(0, 200), options, problems };
  }
  if (!gameText && !options.n) return { screen, tree: null, path: [], argument: '', options, problems };
  const read = readGame(gameText);
  problems.push(...read.problems);
  let { tree } = read;
  if (options.n) {
    const noted = await readNotes(tree, options.n);
    if (noted) tree = noted;
    else problems.push('n=');
    delete options.n;
  }
  const wanted = place === undefined ? mainFrom(tree, []) : readPlace(place);
  const path: number[] = [];
  for (const step of wanted) {
    if (!nodeAt(tree, path).children[step]) break;
    path.push(step);
  }
  if (path.length < wanted.length) problems.push(`@${place}`.slice(0, 24));
  return { screen, tree, path, argument: '', options, problems };
}

export const ended = (tree: Tree, path: Path): boolean => isOver(positionAt(tree, path));
