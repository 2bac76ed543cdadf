// Between the positions of the page and the messages of the engine.
import type { LineObject } from '../engine/messages';
import type { Line } from '../engine/cache';
import { moveName, OTHELLO_START, parseMove, PASS, type Position } from '../model/rules';
import { movesTo, positionAt, type Path, type Tree } from '../model/tree';
import type { WorthKind } from '../model/worth';

/** Moves in one word, passes left out but for one at the end: what every reader of the engine takes. */
export function transcript(tree: Tree, path: Path): string {
  const moves = movesTo(tree, path);
  const names = moves.map((move, i) => (move !== PASS || tree.start.game !== 'othello' ? moveName(tree.start, move) : i === moves.length - 1 ? 'pa' : ''));
  return names.join('');
}

/** A position as the engine reads it; the game that led to it does not matter for its value, but for its name. */
export function positionInput(tree: Tree, path: Path): { text: string } {
  const position = positionAt(tree, path);
  if (position.game === 'gomoku') return { text: transcript(tree, path) };
  return { text: `${position.cells} ${position.side}` };
}

export function gameInput(tree: Tree, path: Path): { text: string } {
  const moves = transcript(tree, path);
  const { start } = tree;
  if (start.game === 'gomoku' || (start.cells === OTHELLO_START.cells && start.side === 'X')) return { text: moves || positionInput(tree, path).text };
  return { text: `${start.cells} ${start.side}\n${moves}`.trim() };
}

export function gameFields(position: Position): { game: 'othello' | 'gomoku'; rules?: { rule: string; size: number } } {
  return position.game === 'othello' ? { game: 'othello' } : { game: 'gomoku', rules: { rule: position.rule, size: position.size } };
}

export const keyOf = (position: Position): string =>
  position.game === 'othello' ? `${position.cells}${position.side}` : `${position.rule}${position.cells}${position.side}`;

export function lineOf(position: Position, line: LineObject): Line | null {
  const move = line.move ? parseMove(position, line.move) : null;
  if (move === null) return null;
  return {
    move,
    value: line.value,
    kind: line.kind as WorthKind,
    depth: line.depth,
    confidence: line.confidence ?? null,
    stones: line.stones ?? null,
    pv: line.pv,
  };
}
