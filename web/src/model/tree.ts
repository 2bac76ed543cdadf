// A game with its variations: plain data that never changes, and functions that give a new tree.
import { play, PASS, type Position } from './rules';

export type Shape = 'circle' | 'triangle' | 'square' | 'cross' | 'letter';
export interface Mark {
  readonly at: number;
  readonly shape: Shape;
  readonly text?: string;
}

export interface Node {
  readonly move: number;
  readonly children: readonly Node[];
  readonly comment?: string;
  /** `!!`, `!`, `!?`, `?!`, `?` or `??`. */
  readonly glyph?: string;
  readonly marks?: readonly Mark[];
}

export interface Tree {
  readonly start: Position;
  readonly root: Node;
  readonly tags: Readonly<Record<string, string>>;
}

/** Which child is taken at each step from the root. */
export type Path = readonly number[];

export const GLYPHS = ['!!', '!', '!?', '?!', '?', '??'] as const;

export const newTree = (start: Position, tags: Record<string, string> = {}): Tree => ({
  start,
  root: { move: -1, children: [] },
  tags,
});

/** The nodes from the root on; shorter than the path where that leads out of the tree. */
export function nodesOn(tree: Tree, path: Path): Node[] {
  const nodes = [tree.root];
  for (const step of path) {
    const next = nodes[nodes.length - 1]!.children[step];
    if (!next) break;
    nodes.push(next);
  }
  return nodes;
}

export const nodeAt = (tree: Tree, path: Path): Node => nodesOn(tree, path).at(-1)!;

const positions = new WeakMap<Node, Position>();

/** The position at a node. Nodes are shared by versions of a tree and always mean the same position, so it is kept. */
export function positionAt(tree: Tree, path: Path): Position {
  let position = tree.start;
  for (const node of nodesOn(tree, path).slice(1)) {
    let next = positions.get(node);
    if (!next) {
      next = play(position, node.move) ?? position;
      positions.set(node, next);
    }
    position = next;
  }
  return position;
}

export const movesTo = (tree: Tree, path: Path): number[] => nodesOn(tree, path).slice(1).map((node) => node.move);

function change(node: Node, path: Path, edit: (node: Node) => Node): Node {
  const [step, ...rest] = path;
  if (step === undefined) return edit(node);
  const child = node.children[step];
  if (!child) return node;
  return { ...node, children: node.children.with(step, change(child, rest, edit)) };
}

const withRoot = (tree: Tree, root: Node): Tree => ({ ...tree, root });

/** Follows the move if it is there, else adds it as the last variation; null where it is not legal. */
export function insert(tree: Tree, path: Path, move: number): { tree: Tree; path: Path } | null {
  const found = nodeAt(tree, path).children.findIndex((child) => child.move === move);
  if (found >= 0) return { tree, path: [...path, found] };
  if (!play(positionAt(tree, path), move)) return null;
  const at = nodeAt(tree, path).children.length;
  const root = change(tree.root, path, (node) => ({ ...node, children: [...node.children, { move, children: [] }] }));
  return { tree: withRoot(tree, root), path: [...path, at] };
}

/** Adds moves one after the other, with the passes between them that were left out; stops at the first that is not legal. */
export function insertLine(tree: Tree, path: Path, line: readonly number[]): { tree: Tree; path: Path; done: number } {
  let done = 0;
  for (const move of line) {
    let next = insert(tree, path, move);
    if (!next && move !== PASS && tree.start.game === 'othello') {
      const passed = insert(tree, path, PASS);
      next = passed && insert(passed.tree, passed.path, move);
    }
    if (!next) break;
    ({ tree, path } = next);
    done += 1;
  }
  return { tree, path, done };
}

export function remove(tree: Tree, path: Path): { tree: Tree; path: Path } {
  const parent = path.slice(0, -1);
  const step = path.at(-1);
  if (step === undefined) return { tree, path };
  const root = change(tree.root, parent, (node) => ({ ...node, children: node.children.filter((_, i) => i !== step) }));
  return { tree: withRoot(tree, root), path: parent };
}

/** Puts the last step of the path before the variation above it. */
export function promote(tree: Tree, path: Path): { tree: Tree; path: Path } {
  const step = path.at(-1);
  if (!step) return { tree, path };
  const parent = path.slice(0, -1);
  const root = change(tree.root, parent, (node) => {
    const children = [...node.children];
    [children[step - 1], children[step]] = [children[step]!, children[step - 1]!];
    return { ...node, children };
  });
  return { tree: withRoot(tree, root), path: [...parent, step - 1] };
}

/** Makes the path the main line, and leaves the order of everything else as it is. */
export function makeMain(tree: Tree, path: Path): { tree: Tree; path: Path } {
  const lift = (node: Node, depth: number): Node => {
    const step = path[depth];
    const child = step === undefined ? undefined : node.children[step];
    if (!child) return node;
    return { ...node, children: [lift(child, depth + 1), ...node.children.filter((_, i) => i !== step)] };
  };
  return { tree: withRoot(tree, lift(tree.root, 0)), path: path.map(() => 0) };
}

export function annotate(tree: Tree, path: Path, edit: Partial<Pick<Node, 'comment' | 'glyph' | 'marks'>>): Tree {
  const root = change(tree.root, path, (node) => {
    const next: Record<string, unknown> = { ...node, ...edit };
    if (!next.comment) delete next.comment;
    if (!next.glyph) delete next.glyph;
    if (!(next.marks as unknown[] | undefined)?.length) delete next.marks;
    return next as unknown as Node;
  });
  return withRoot(tree, root);
}

/** The path that goes on from `path` along first children to the end. */
export function mainFrom(tree: Tree, path: Path): Path {
  const full = [...path];
  for (let node = nodeAt(tree, path); node.children.length > 0; node = node.children[0]!) full.push(0);
  return full;
}

export const mainLine = (tree: Tree): number[] => movesTo(tree, mainFrom(tree, []));

export function countNodes(node: Node): number {
  return node.children.reduce((sum, child) => sum + countNodes(child), 1);
}

/** Whether all that is in one game is in the other, too. */
export function holds(tree: Tree, part: Tree): boolean {
  const whole = (node: Node, small: Node): boolean =>
    (small.comment ?? node.comment) === node.comment &&
    (small.glyph ?? node.glyph) === node.glyph &&
    (!small.marks || JSON.stringify(small.marks) === JSON.stringify(node.marks)) &&
    small.children.every((child) => node.children.some((other) => other.move === child.move && whole(other, child)));
  const tags = Object.entries(part.tags).every(([name, text]) => tree.tags[name] === text);
  return tags && JSON.stringify(tree.start) === JSON.stringify(part.start) && whole(tree.root, part.root);
}
