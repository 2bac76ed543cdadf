// Five in a row: whether a stone ends the game. Forbidden points and threats are asked of the engine.
import { other, type Side } from './othello';

export type Rule = 'freestyle' | 'standard' | 'renju' | 'caro';
export const RULES: readonly Rule[] = ['freestyle', 'standard', 'renju', 'caro'];

/** `size`² characters, the lowest row first; whose move it is; and who has five. */
export interface Stones {
  readonly cells: string;
  readonly side: Side;
  readonly size: number;
  readonly rule: Rule;
  readonly won: Side | null;
}

export function emptyStones(size: number, rule: Rule): Stones {
  return { cells: '-'.repeat(size * size), side: 'X', size, rule, won: null };
}

/** Counts the stones of `side` beside `point` in one direction, and says what ends the row. */
function run(cells: string, size: number, point: number, dx: number, dy: number, side: Side): [number, string] {
  let length = 0;
  for (let x = (point % size) + dx, y = Math.floor(point / size) + dy; ; x += dx, y += dy) {
    if (x < 0 || y < 0 || x >= size || y >= size) return [length, '#'];
    const cell = cells[y * size + x]!;
    if (cell !== side) return [length, cell];
    length += 1;
  }
}

export function makesFive(cells: string, size: number, rule: Rule, point: number, side: Side): boolean {
  return ([[1, 0], [0, 1], [1, 1], [1, -1]] as const).some(([dx, dy]) => {
    const [forward, front] = run(cells, size, point, dx, dy, side);
    const [backward, back] = run(cells, size, point, -dx, -dy, side);
    const length = forward + backward + 1;
    if (rule === 'standard' || (rule === 'renju' && side === 'X')) return length === 5;
    // Caro: a row that is shut in at both ends by the other side is no five.
    if (rule === 'caro') return length === 5 && !(front === other(side) && back === other(side));
    return length >= 5;
  });
}

export function place(stones: Stones, point: number): Stones | null {
  if (stones.won !== null || stones.cells[point] !== '-') return null;
  const { size, rule, side } = stones;
  const cells = stones.cells.slice(0, point) + side + stones.cells.slice(point + 1);
  return { cells, side: other(side), size, rule, won: makesFive(cells, size, rule, point, side) ? side : null };
}

export const isDone = (stones: Stones): boolean => stones.won !== null || !stones.cells.includes('-');

export function pointName(point: number, size: number): string {
  return `${String.fromCharCode(97 + (point % size))}${Math.floor(point / size) + 1}`;
}

export function parsePoint(text: string, size: number): number | null {
  const found = /^([a-t])(\d{1,2})$/i.exec(text);
  if (!found) return null;
  const x = found[1]!.toLowerCase().charCodeAt(0) - 97;
  const y = Number(found[2]) - 1;
  return x < size && y >= 0 && y < size ? y * size + x : null;
}
