import { expect, test } from 'vitest';
import { Cache } from '../../src/engine/cache';
import { compare, type Worth } from '../../src/model/worth';

const win = (stones: number, depth: number): Worth => ({ kind: 'win', value: 100, depth, stones });
const loss = (stones: number): Worth => ({ kind: 'loss', value: 0, depth: 1, stones });
const guess = (value: number, depth: number): Worth => ({ kind: 'estimate', value, depth });

test('the fast win comes first and the fast loss last, however deep they were found', () => {
  const sorted = [win(3, 1), win(17, 9), guess(60, 4), guess(60, 3), guess(40, 9), loss(9), loss(4)];
  expect([...sorted].reverse().sort(compare)).toEqual(sorted);
});

test('a slow win that is found deeper does not take the place of a fast one', () => {
  const cache = new Cache();
  cache.add('', [{ ...win(3, 1), move: 1, pv: [] }]);
  cache.add('', [{ ...win(17, 9), move: 2, pv: [] }]);
  expect(cache.get('')!.lines.map((line) => line.move)).toEqual([1, 2]);
});
