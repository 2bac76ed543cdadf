import { describe, expect, test } from 'vitest';
import { moves, OTHELLO_START, PASS } from '../../src/model/rules';
import * as trees from '../../src/model/tree';
import { generator, randomPath, randomTree, withNotes } from './random';

const lines = (node: trees.Node, before = ''): string[] =>
  node.children.length === 0 ? [before] : node.children.flatMap((child) => lines(child, `${before} ${child.move}`));

describe('laws of the tree', () => {
  const random = generator(3);
  test('a move that is put in and taken out leaves the tree as it was', () => {
    for (let i = 0; i < 500; i += 1) {
      const tree = randomTree(random);
      const path = randomPath(tree, random);
      const legal = moves(trees.positionAt(tree, path));
      const known = new Set(trees.nodeAt(tree, path).children.map((child) => child.move));
      const fresh = legal.find((move) => !known.has(move));
      if (fresh === undefined) continue;
      const put = trees.insert(tree, path, fresh)!;
      expect(trees.countNodes(put.tree.root)).toBe(trees.countNodes(tree.root) + 1);
      expect(trees.remove(put.tree, put.path)).toEqual({ tree, path });
    }
  });

  test('a move that is there is followed, and one that is not legal is refused', () => {
    for (let i = 0; i < 300; i += 1) {
      const tree = randomTree(random);
      const path = randomPath(tree, random);
      const { children } = trees.nodeAt(tree, path);
      children.forEach((child, step) => expect(trees.insert(tree, path, child.move)).toEqual({ tree, path: [...path, step] }));
      const legal = new Set(moves(trees.positionAt(tree, path)));
      const bad = Array.from({ length: 65 }, (_, move) => move).find((move) => !legal.has(move))!;
      expect(trees.insert(tree, path, bad)).toBeNull();
    }
  });

  test('promoting and making the main line keep all lines, and keep the place', () => {
    for (let i = 0; i < 500; i += 1) {
      const tree = randomTree(random);
      const path = randomPath(tree, random);
      const here = trees.movesTo(tree, path);
      for (const next of [trees.promote(tree, path), trees.makeMain(tree, path)]) {
        expect(lines(next.tree.root).sort()).toEqual(lines(tree.root).sort());
        expect(trees.movesTo(next.tree, next.path)).toEqual(here);
      }
      expect(trees.makeMain(tree, path).path.every((step) => step === 0)).toBe(true);
    }
  });

  test('a game holds what it grew from, and not what was taken out or said otherwise', () => {
    for (let i = 0; i < 300; i += 1) {
      const tree = withNotes(randomTree(random), random);
      const path = randomPath(tree, random);
      expect(trees.holds(tree, tree)).toBe(true);
      const less = trees.remove(tree, path).tree;
      expect(trees.holds(tree, less)).toBe(true);
      if (path.length > 0) expect(trees.holds(less, tree)).toBe(false);
      expect(trees.holds(trees.annotate(tree, path, { comment: 'another word' }), trees.annotate(tree, path, { comment: 'a word' }))).toBe(false);
      expect(trees.holds(tree, { ...tree, tags: { Black: 'Ada' } })).toBe(false);
    }
  });

  test('the tree that was is not changed', () => {
    const tree = randomTree(random, OTHELLO_START, 30);
    const was = JSON.stringify(tree);
    const path = randomPath(tree, random);
    trees.annotate(tree, path, { comment: 'x', glyph: '!' });
    trees.remove(tree, path);
    trees.makeMain(tree, path);
    expect(JSON.stringify(tree)).toBe(was);
  });

  test('passes that were left out are put in', () => {
    const names = 'f5f6f7g7h7h8c4e7d7g5h5h6f8d8c7h4'.match(/../g)!;
    const line = names.map((name) => (name.charCodeAt(1) - 49) * 8 + name.charCodeAt(0) - 97);
    const { tree, path, done } = trees.insertLine(trees.newTree(OTHELLO_START), [], line);
    expect(done).toBe(line.length);
    expect(trees.movesTo(tree, path).filter((move) => move === PASS)).toHaveLength(4);
    expect(moves(trees.positionAt(tree, path))).toEqual([PASS]);
  });
});
