// A whole game judged, move by move.
import { computed, signal } from '@preact/signals';
import type { GameObject, MoveObject } from '../engine/messages';
import { PASS } from '../model/rules';
import type { Drill } from '../model/store';
import { annotate, mainFrom, movesTo, positionAt, type Path, type Tree } from '../model/tree';
import { squareName } from '../model/othello';
import * as doc from './document';
import { ask } from './engine';
import { store } from './keep';
import { gameInput } from './wire';

export const DEPTHS = { quick: 6, normal: 12, thorough: 18 } as const;
export type Depth = keyof typeof DEPTHS;

export interface Review {
  /** The game that was judged. */
  readonly of: string;
  /** By path length of the main line, from 1. */
  readonly moves: ReadonlyMap<number, MoveObject>;
  readonly summary: GameObject | null;
  readonly done: number;
  readonly total: number;
  readonly running: boolean;
  readonly trouble: string;
}

const reviews = signal<ReadonlyMap<string, Review>>(new Map());
const mainText = computed(() => gameInput(doc.tree.value, mainFrom(doc.tree.value, [])).text);
export const review = computed(() => reviews.value.get(mainText.value) ?? null);

let stop: AbortController | null = null;

export const stopReview = (): void => stop?.abort();

export async function startReview(depth: Depth): Promise<void> {
  const tree = doc.tree.value;
  const full = mainFrom(tree, []);
  const of = gameInput(tree, full).text;
  const discs = movesTo(tree, full).flatMap((move, i) => (move === PASS ? [] : [i + 1]));
  const moves = new Map<number, MoveObject>();
  let now: Review = { of, moves, summary: null, done: 0, total: discs.length, running: true, trouble: '' };
  const put = (change: Partial<Review>): void => {
    now = { ...now, ...change };
    reviews.value = new Map([...[...reviews.value].slice(-20), [of, now]]);
  };
  put({});
  stop?.abort();
  const own = new AbortController();
  stop = own;
  try {
    await ask(
      'review',
      { input: { text: of }, level: DEPTHS[depth] },
      (event) => {
        // Of Othello alone: no other game is asked about.
        if ('summary' in event) put({ summary: event.summary as GameObject });
        else if ('reviewing' in event) put({ done: event.reviewing[0] ?? 0, total: event.reviewing[1] ?? discs.length });
        else {
          // Passes are counted there as they are here.
          moves.set(event.number, event as MoveObject);
          put({ moves: new Map(moves) });
        }
      },
      own.signal,
    );
  } catch (error) {
    put({ trouble: (error as Error).message });
  } finally {
    put({ running: false });
  }
}

/** Writes the marks of the review into the game. */
export function withMarks(tree: Tree, judged: Review): Tree {
  const full = mainFrom(tree, []);
  for (const [length, move] of judged.moves) {
    if (move.mark) tree = annotate(tree, full.slice(0, length), { glyph: move.mark });
  }
  return tree;
}

/** The moves that cost most, as drills. */
export function drillsOf(tree: Tree, judged: Review): Drill[] {
  const full: Path = mainFrom(tree, []);
  return [...judged.moves].flatMap(([length, move]) => {
    if (move.loss < 4 || !move.best) return [];
    const before = positionAt(tree, full.slice(0, length - 1));
    if (before.game !== 'othello') return [];
    const values = { [move.best]: move.best_value ?? 0, [squareName(movesTo(tree, full)[length - 1]!)]: move.value };
    return [
      {
        id: `own-${before.cells}${before.side}`,
        set: 'own',
        cells: before.cells,
        side: before.side,
        values,
        best: [move.best],
        exact: move.exact,
        box: 0,
        due: Date.now(),
      },
    ];
  });
}

/** One side's moves up to here, to be recalled in their order. */
export function drillsOfLine(tree: Tree, path: Path, side: 'X' | 'O'): Drill[] {
  const now = Date.now();
  return movesTo(tree, path).flatMap((move, i) => {
    const before = positionAt(tree, path.slice(0, i));
    if (before.game !== 'othello' || before.side !== side || move === PASS) return [];
    const name = squareName(move);
    // The newest comes first, so the first move is the newest.
    return [{ id: `line-${before.cells}${before.side}`, set: 'line', cells: before.cells, side, values: { [name]: 0 }, best: [name], exact: false, box: 0, due: now - i }];
  });
}

export async function keepDrills(drills: readonly Drill[]): Promise<void> {
  for (const drill of drills) await store.value?.putDrill(drill);
}
