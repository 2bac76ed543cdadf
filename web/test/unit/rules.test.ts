import { describe, expect, test } from 'vitest';
import { makesFive, parsePoint, pointName } from '../../src/model/gomoku';
import * as othello from '../../src/model/othello';
import { gomokuStart, moves, play, type Position } from '../../src/model/rules';
import known from './positions.json';

function perft(board: othello.Board, depth: number): number {
  const found = othello.moves(board);
  if (depth === 1) return Math.max(1, found.length);
  if (found.length === 0) return 1;
  return found.reduce((sum, move) => sum + perft(othello.play(board, move)!, depth - 1), 0);
}

function compare(row: { board: string; side: string; legal: string; over: boolean; result: number | null }): void {
  const board = { cells: row.board, side: row.side as 'X' | 'O' };
  const legal = othello.moves(board).map(othello.squareName).sort().join(' ');
  expect(legal, row.board).toBe(row.legal.split(' ').sort().join(' '));
  expect(othello.isOver(board)).toBe(row.over);
  if (row.result !== null) expect(othello.result(board)).toBe(row.result);
}

describe('Othello', () => {
  test('moves, passes and results are those of the engine', () => {
    expect(known.length).toBeGreaterThan(700);
    for (const [board, side, legal, over, result] of known as [string, string, string, number, number | null][]) {
      compare({ board, side, legal, over: over === 1, result });
    }
  });

  // OUTFLANK_BIN=../target/debug/outflank npx vitest run rules
  test.skipIf(!process.env.OUTFLANK_BIN)('the same on 10,000 positions, asked of the engine now', { timeout: 300_000 }, async () => {
    const { positions } = // @ts-expect-error plain JavaScript, so that Node runs it without a build
      (await import('./positions.mjs')) as { positions: (program: string, games: number, seed: number) => Parameters<typeof compare>[0][] };
    const all = positions(process.env.OUTFLANK_BIN!, 175, 5);
    expect(all.length).toBeGreaterThan(10_000);
    all.forEach(compare);
  });

  test('move sequences are as many as they should be', () => {
    const counts = [4, 12, 56, 244, 1396, 8200, 55092, 390216];
    counts.forEach((count, i) => expect(perft(othello.START, i + 1)).toBe(count));
  });

  test('a square, its name and its symmetries', () => {
    for (let square = 0; square < 64; square += 1) {
      expect(othello.parseSquare(othello.squareName(square))).toBe(square);
      expect(new Set(Array.from({ length: 8 }, (_, which) => othello.turnSquare(square, which))).has(square)).toBe(true);
    }
    expect(othello.parseSquare('i1')).toBeNull();
    expect(othello.parseSquare('pass')).toBe(othello.PASS);
  });
});

describe('Gomoku', () => {
  const row = (text: string): string => text.padEnd(225, '-');
  test.each([
    ['freestyle', 'XXXXX', 'X', true],
    ['freestyle', 'XXXXXX', 'X', true],
    ['standard', 'XXXXXX', 'X', false],
    ['renju', 'XXXXXX', 'X', false],
    ['renju', 'OOOOOO', 'O', true],
    ['caro', 'OXXXXXO', 'X', false],
    ['caro', '-XXXXXO', 'X', true],
    ['caro', 'XXXXXX', 'X', false],
    ['freestyle', 'XXXX', 'X', false],
  ] as const)('%s: %s for %s', (rule, text, side, five) => {
    expect(makesFive(row(text), 15, rule, text.indexOf(side) + 2, side)).toBe(five);
  });

  test('a game ends with five, and nothing is legal after it', () => {
    let position: Position = gomokuStart(15, 'freestyle');
    for (const name of ['h8', 'a1', 'i8', 'a2', 'j8', 'a3', 'k8', 'a4', 'l8']) position = play(position, parsePoint(name, 15)!)!;
    expect(position.game === 'gomoku' && position.won).toBe('X');
    expect(moves(position)).toEqual([]);
    expect(pointName(parsePoint('o15', 15)!, 15)).toBe('o15');
    expect(parsePoint('p1', 15)).toBeNull();
  });
});
