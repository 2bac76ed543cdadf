// A score sheet: a board whose squares hold the numbers of the moves. Plays along, and says which number cannot be right.
import { mustPass, PASS, play, START } from './othello';

/** The number on each square, a1 b1 … h8; null where none is written. */
export type Sheet = readonly (number | null)[];

export interface Stop {
  /** The first number that cannot be right. */
  readonly number: number;
  readonly why: 'missing' | 'twice' | 'illegal';
  readonly squares: readonly number[];
}

export interface Replay {
  /** The moves up to there, passes among them. */
  readonly moves: readonly number[];
  readonly stop: Stop | null;
}

/** What would make the whole sheet a game: other numbers on one or two squares. */
export type Mend = readonly { readonly at: number; readonly to: number }[];

export const EMPTY_SHEET: Sheet = Array.from({ length: 64 }, () => null);

/** The four squares that have a disc before the first move. */
export const CENTER: ReadonlySet<number> = new Set([27, 28, 35, 36]);

function placesOf(sheet: Sheet): number[][] {
  const places: number[][] = [];
  sheet.forEach((number, square) => {
    if (number !== null) (places[number] ??= []).push(square);
  });
  return places;
}

export function replay(sheet: Sheet): Replay {
  const places = placesOf(sheet);
  const moves: number[] = [];
  let board = START;
  for (let number = 1; number < places.length; number += 1) {
    const squares = places[number] ?? [];
    const [square] = squares;
    if (square === undefined) return { moves, stop: { number, why: 'missing', squares } };
    if (squares.length > 1) return { moves, stop: { number, why: 'twice', squares } };
    // Sheets leave passes out.
    if (mustPass(board)) {
      board = play(board, PASS)!;
      moves.push(PASS);
    }
    const next = play(board, square);
    if (!next) return { moves, stop: { number, why: 'illegal', squares } };
    board = next;
    moves.push(square);
  }
  return { moves, stop: null };
}

const changed = (sheet: Sheet, mend: Mend): Sheet => mend.reduce<Sheet>((now, { at, to }) => now.with(at, to), sheet);

/** Changes with which everything that is written is a game: a missing number, a wrong one, two that are swapped. */
export function mends(sheet: Sheet, most = 6): Mend[] {
  const { stop } = replay(sheet);
  if (!stop) return [];
  const places = placesOf(sheet);
  const tries: Mend[] = [];
  const missing = Array.from({ length: places.length - 1 }, (_, i) => i + 1).filter((number) => !places[number]);
  if (stop.why === 'twice') {
    for (const at of stop.squares) for (const to of [...missing, places.length]) tries.push([{ at, to }]);
  } else if (stop.why === 'missing') {
    sheet.forEach((number, at) => {
      if (number === null && !CENTER.has(at)) tries.push([{ at, to: stop.number }]);
    });
  } else {
    // One of the two was played by then; the nearest pairs first, since a hand slips by little.
    const pairs: [number, number][] = [];
    for (let a = 1; a <= stop.number; a += 1) {
      for (let b = a + 1; b < places.length; b += 1) if (places[a]?.length === 1 && places[b]?.length === 1) pairs.push([a, b]);
    }
    pairs.sort((one, other) => one[1] - one[0] - (other[1] - other[0]) || other[0] - one[0]);
    for (const [a, b] of pairs) tries.push([{ at: places[a]![0]!, to: b }, { at: places[b]![0]!, to: a }]);
  }
  const found: Mend[] = [];
  for (const mend of tries) {
    if (found.length >= most) break;
    if (replay(changed(sheet, mend)).stop === null) found.push(mend);
  }
  return found;
}

export { changed as withMend };
