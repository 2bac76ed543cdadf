// Random trees, the same in every run.
import { moves, OTHELLO_START, type Position } from '../../src/model/rules';
import { annotate, insert, newTree, nodeAt, positionAt, type Path, type Tree } from '../../src/model/tree';

export function generator(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return Math.floor(((state ^ (state >>> 12)) >>> 0) / 2 ** 32 * n);
  };
}

/** A tree that grows by a move at a random place, most often at the end of the last line. */
export function randomTree(random: (n: number) => number, start: Position = OTHELLO_START, size = 1 + random(40)): Tree {
  let tree = newTree(start);
  let path: Path = [];
  for (let i = 0; i < size; i += 1) {
    if (random(6) === 0) path = path.slice(0, random(path.length + 1));
    const legal = moves(positionAt(tree, path));
    if (legal.length === 0) {
      path = [];
      continue;
    }
    const next = insert(tree, path, legal[random(legal.length)]!)!;
    ({ tree, path } = next);
  }
  return tree;
}

export function randomPath(tree: Tree, random: (n: number) => number): Path {
  const path: number[] = [];
  for (;;) {
    const { children } = nodeAt(tree, path);
    if (children.length === 0 || random(12) === 0) return path;
    path.push(random(children.length));
  }
}

const WORDS = ['good', '虎定石', '<b>no tags</b>', '"quoted" \\ and\nlines', '🙂', 'x'.repeat(300)];

export function withNotes(tree: Tree, random: (n: number) => number): Tree {
  for (let i = random(5); i > 0; i -= 1) {
    const path = randomPath(tree, random);
    tree = annotate(tree, path, {
      comment: WORDS[random(WORDS.length)]!,
      ...(random(2) === 0 && { glyph: ['!!', '!', '!?', '?!', '?', '??'][random(6)]! }),
      ...(random(2) === 0 && { marks: [{ at: random(tree.start.cells.length), shape: (['circle', 'triangle', 'square', 'cross'] as const)[random(4)]! }] }),
    });
  }
  return tree;
}
