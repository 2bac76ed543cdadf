import { describe, expect, test } from 'vitest';
import { gomokuStart } from '../../src/model/rules';
import { readSgf, writeSgf } from '../../src/ui/sgf';
import { generator, randomTree, withNotes } from './random';

describe('SGF of five in a row', () => {
  test('what is written comes back', () => {
    const random = generator(5);
    let with_moves = 0;
    for (let i = 0; i < 300; i += 1) {
      const size = 5 + random(16);
      const tree = { ...withNotes(randomTree(random, gomokuStart(size, 'freestyle'), 1 + random(20)), random), tags: {} };
      if (tree.root.children.length === 0) continue;
      with_moves += 1;
      expect(readSgf(writeSgf(tree), 'freestyle'), writeSgf(tree)).toEqual(tree);
    }
    expect(with_moves).toBeGreaterThan(200);
  });

  test('damaged text never throws', () => {
    const random = generator(6);
    for (let i = 0; i < 500; i += 1) {
      const text = writeSgf(withNotes(randomTree(random, gomokuStart(15, 'renju'), 10), random));
      const at = random(text.length);
      const other = random(3) === 0 ? text.slice(0, at) : text.slice(0, at) + String.fromCharCode(32 + random(95)) + text.slice(at + random(4));
      expect(() => readSgf(other, 'renju')).not.toThrow();
    }
  });

  test('other games, stones at the start and illegal moves', () => {
    expect(readSgf('(;GM[2]SZ[8];B[f5])', 'freestyle')).toBeNull();
    expect(readSgf('(;GM[4]SZ[15]AB[aa];B[hh])', 'freestyle')).toBeNull();
    expect(readSgf('no game', 'freestyle')).toBeNull();
    const tree = readSgf('(;GM[4]SZ[15]RU[Renju];B[hh];W[hg](;B[hh];W[aa])(;B[ii]))', 'freestyle')!;
    expect(tree.start).toMatchObject({ size: 15, rule: 'renju' });
    expect(tree.root.children[0]!.children[0]!.children).toHaveLength(1);
  });
});
