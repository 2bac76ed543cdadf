// What the tree, the links and the board need to know of a game, the same for both.
import * as gomoku from './gomoku';
import * as othello from './othello';

export type { Side } from './othello';
export { PASS } from './othello';
export type Game = 'othello' | 'gomoku';
export type Position = { readonly game: 'othello' } & othello.Board | ({ readonly game: 'gomoku' } & gomoku.Stones);

export const OTHELLO_START: Position = { game: 'othello', ...othello.START };

export const gomokuStart = (size: number, rule: gomoku.Rule): Position => ({ game: 'gomoku', ...gomoku.emptyStones(size, rule) });

export const sizeOf = (position: Position): number => (position.game === 'othello' ? 8 : position.size);

export function play(position: Position, move: number): Position | null {
  if (position.game === 'othello') {
    const next = othello.play(position, move);
    return next && { game: 'othello', ...next };
  }
  const next = gomoku.place(position, move);
  return next && { game: 'gomoku', ...next };
}

const kept = new WeakMap<Position, number[]>();

/** The legal moves; those of Gomoku may hold points that only the engine knows to be forbidden. */
export function moves(position: Position): number[] {
  let found = kept.get(position);
  if (!found) {
    if (position.game === 'othello') found = othello.moves(position);
    else found = gomoku.isDone(position) ? [] : [...position.cells].flatMap((cell, point) => (cell === '-' ? [point] : []));
    kept.set(position, found);
  }
  return found;
}

export const isOver = (position: Position): boolean => moves(position).length === 0;
export const mustPass = (position: Position): boolean => moves(position)[0] === othello.PASS && position.game === 'othello';

export function moveName(position: Position, move: number): string {
  return position.game === 'othello' ? othello.squareName(move) : gomoku.pointName(move, position.size);
}

export function parseMove(position: Position, text: string): number | null {
  return position.game === 'othello' ? othello.parseSquare(text) : gomoku.parsePoint(text, position.size);
}

/** What an engine is told about a position that no moves lead to. */
export const boardText = (position: Position): string => `${position.cells} ${position.side}`;
