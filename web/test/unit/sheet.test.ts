import { describe, expect, test } from 'vitest';
import { isOver, moves, PASS, play, START } from '../../src/model/othello';
import { CENTER, EMPTY_SHEET, mends, replay, withMend, type Sheet } from '../../src/model/sheet';
import { generator } from './random';

/** A random game to its end: its moves with passes, and its sheet. */
function game(random: (n: number) => number): { moves: number[]; sheet: Sheet } {
  const played: number[] = [];
  let sheet = EMPTY_SHEET;
  let number = 0;
  for (let board = START; !isOver(board); ) {
    const legal = moves(board);
    const move = legal[random(legal.length)]!;
    board = play(board, move)!;
    played.push(move);
    if (move !== PASS) sheet = sheet.with(move, (number += 1));
  }
  return { moves: played, sheet };
}

describe('score sheets', () => {
  const random = generator(17);
  const games = Array.from({ length: 60 }, () => game(random));

  test('a sheet is the game that was written down, passes and all', () => {
    for (const each of games) expect(replay(each.sheet)).toEqual({ moves: each.moves, stop: null });
    expect(replay(EMPTY_SHEET)).toEqual({ moves: [], stop: null });
  });

  test('two numbers swapped are found, or the sheet is a game as it is', { timeout: 60_000 }, () => {
    let found = 0;
    for (const { sheet } of games) {
      const last = Math.max(...sheet.map((number) => number ?? 0));
      const [a, b] = [1 + random(last), 1 + random(last)];
      if (a === b) continue;
      const [at, other] = [sheet.indexOf(a), sheet.indexOf(b)];
      const wrong = sheet.with(at, b).with(other, a);
      const { stop } = replay(wrong);
      if (!stop) continue;
      expect(stop.number).toBeGreaterThanOrEqual(Math.min(a, b));
      const all = mends(wrong, 10_000);
      expect(all.some((mend) => withMend(wrong, mend).every((number, square) => number === sheet[square]))).toBe(true);
      for (const mend of all) expect(replay(withMend(wrong, mend)).stop).toBeNull();
      found += 1;
    }
    expect(found).toBeGreaterThan(40);
  });

  test('a number that is missing or there twice is found', () => {
    for (const { sheet } of games) {
      const last = Math.max(...sheet.map((number) => number ?? 0));
      const lost = 1 + random(last - 1);
      const square = sheet.indexOf(lost);
      const without = sheet.with(square, null);
      expect(replay(without).stop).toEqual({ number: lost, why: 'missing', squares: [] });
      expect(mends(without, 64)).toContainEqual([{ at: square, to: lost }]);
      const other = 1 + random(last - 1);
      if (other === lost) continue;
      const twice = sheet.with(square, other);
      expect(replay(twice).stop?.number).toBe(Math.min(lost, other));
      if (other < lost) expect(mends(twice, 64)).toContainEqual([{ at: square, to: lost }]);
    }
  });

  test('nothing is proposed for the middle of the board, or where no change helps', () => {
    const nonsense = EMPTY_SHEET.with(0, 1).with(7, 2);
    expect(replay(nonsense).stop?.why).toBe('illegal');
    expect(mends(nonsense)).toEqual([]);
    const first = EMPTY_SHEET.with(18, 2);
    expect(replay(first).stop).toEqual({ number: 1, why: 'missing', squares: [] });
    for (const mend of mends(first, 64)) for (const { at } of mend) expect(CENTER.has(at)).toBe(false);
  });
});
