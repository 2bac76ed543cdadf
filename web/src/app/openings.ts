// What there is to know of the moves of the position on the board: names, the book, games.
import { effect, signal, untracked } from '@preact/signals';
import type { Branches, CollectionName, GamesFilter, Named } from '../engine/messages';
import { readGame } from '../model/link';
import { parseSquare, result, turnSquare } from '../model/othello';
import { isOver, PASS, play, type Position, type Side } from '../model/rules';
import type { Drill } from '../model/store';
import { insertLine, mainFrom, mainLine, newTree, positionAt, type Tree } from '../model/tree';
import type { Worth } from '../model/worth';
import type { BookMove, Results } from '../engine/messages';
import { changes } from './collections';
import * as doc from './document';
import { askAll, engineState, unknownCalls } from './engine';
import { games } from './keep';
import { gameInput } from './wire';

export const branches = signal<Branches | null>(null);
export const trouble = signal('');
export type Source = 'all' | 'library' | CollectionName;
export const source = signal<Source>('all');
export const filter = signal<GamesFilter>({});
/** Games shown of each move. */
const EXAMPLES = 2;

let started = false;

/** Follows the board. */
export function startOpenings(): void {
  if (started) return;
  started = true;
  let last = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const tree = doc.tree.value;
    const path = doc.path.value;
    const from = source.value;
    const wanted = filter.value;
    const change = changes.value;
    if (tree.start.game !== 'othello' || engineState.value !== 'ready' || unknownCalls.value.has('explore')) return;
    const input = gameInput(tree, path);
    const now = JSON.stringify([input, from, wanted, change]);
    if (now === last) return;
    last = now;
    clearTimeout(timer);
    timer = setTimeout(() => {
      void untracked(async () => {
        try {
          const collection = from === 'own' || from === 'server' ? { collection: from } : {};
          const [found] = await askAll('explore', { input, filter: wanted, examples: EXAMPLES, ...collection });
          if (now !== last) return;
          branches.value = found ?? null;
          trouble.value = '';
        } catch (error) {
          if (now !== last) return;
          branches.value = null;
          trouble.value = (error as Error).message;
        }
      });
    }, 40);
  });
}

/** Openings by a part of their names in any of the languages. */
export async function searchNames(text: string): Promise<readonly Named[]> {
  return text.trim() ? askAll('names', { search: text.trim(), limit: 30 }) : [];
}

/** Goes to where an opening is: along the game on the board as far as both agree, else as a variation. */
export function openNamed(found: Named): void {
  const text = found.game ?? '';
  if (/^[-XO]{64}/i.test(text)) {
    doc.replace(newTree({ game: 'othello', cells: text.slice(0, 64), side: text.trim().at(-1)!.toUpperCase() as Side }));
    return;
  }
  const moves = (text.match(/[a-h][1-8]/gi) ?? []).flatMap((name) => parseSquare(name.toLowerCase()) ?? []);
  const start = readGame('').tree.start;
  const here = doc.tree.value.start;
  const base = here.game === 'othello' && start.game === 'othello' && here.cells === start.cells ? doc.tree.value : newTree(start);
  const { tree, path } = insertLine(base, [], moves);
  if (base === doc.tree.value) doc.edit({ tree, path });
  else doc.replace(tree, path);
}

/** A value of the book as a worth, so that it is drawn and said like every other. */
export function bookWorth(book: BookMove | null | undefined): Worth | null {
  if (typeof book?.value !== 'number') return null;
  return { value: book.value, kind: book.grade === 'A' ? 'exact' : 'book', depth: book.depth ?? 0 };
}

/** Counts of games, added up from more than one source. */
export interface Tally {
  readonly games: number;
  readonly black: number;
  readonly draws: number;
  readonly white: number;
  readonly discs: number;
  readonly year: number | null;
}

/** The eight ways to lay a board, least first: two games meet where these agree. */
function canonical(cells: string): string {
  let key = '';
  for (let symmetry = 0; symmetry < 8; symmetry += 1) {
    const out = Array<string>(64);
    for (let square = 0; square < 64; square += 1) out[turnSquare(square, symmetry)] = cells[square]!;
    const text = out.join('');
    if (key === '' || text < key) key = text;
  }
  return key;
}

export const keyAt = (position: Position): string => canonical(position.cells) + position.side;

/** For every position of the first 30 discs of the library's games: how the games that came through it ended. */
export function countLibrary(): ReadonlyMap<string, Tally> {
  const found = new Map<string, Tally>();
  for (const record of games.value) {
    if (record.game !== 'othello' || record.binned !== null) continue;
    const { tree } = readGame(record.link.replace(/^#\/\w+\//, '').replace(/[@?].*$/, ''));
    const last = positionAt(tree, mainFrom(tree, []));
    if (last.game !== 'othello' || !isOver(last) || mainLine(tree).length < 4) continue;
    const margin = result(last);
    let at: Position = tree.start;
    for (const move of mainLine(tree).slice(0, 30)) {
      const next = play(at, move);
      if (!next) break;
      at = next;
      const key = keyAt(at);
      found.set(key, sum(found.get(key) ?? null, { games: 1, black: Number(margin > 0), draws: Number(margin === 0), white: Number(margin < 0), discs: margin, year: null })!);
    }
  }
  return found;
}

export function sum(a: Tally | null, b: Tally | null): Tally | null {
  if (!a || !b) return a ?? b;
  return {
    games: a.games + b.games,
    black: a.black + b.black,
    draws: a.draws + b.draws,
    white: a.white + b.white,
    discs: a.discs + b.discs,
    year: a.year === null || b.year === null ? (a.year ?? b.year) : Math.max(a.year, b.year),
  };
}

export function tallyOf(results: Results | null | undefined): Tally | null {
  if (!results || results.games === 0) return null;
  const { black, draws, white } = results;
  return { games: results.games, black, draws, white, discs: (results.discs ?? 0) * (black + draws + white), year: results.last_year ?? null };
}

/** Black's mean margin, over the games whose result is known. */
export function meanOf(tally: Tally): number | null {
  const known = tally.black + tally.draws + tally.white;
  return known > 0 ? tally.discs / known : null;
}

/** Discs that a move of the other side may lose, and that an answer may lose to count as right. */
const THEIR_LOSS = 2;
const RIGHT_LOSS = 0.5;
const MOST_DRILLS = 24;

/** What the book would play for `side` from here on, against every good move of the other one: nearest first. */
export async function drillsOfBook(tree: Tree, path: readonly number[], side: 'X' | 'O', onFound: (n: number) => void, stop: AbortSignal): Promise<Drill[]> {
  const found = new Map<string, Drill>();
  const waiting: { text: string; at: Position }[] = [{ ...gameInput(tree, path), at: positionAt(tree, path) }];
  const now = Date.now();
  for (let next = waiting.shift(); next && found.size < MOST_DRILLS && !stop.aborted; next = waiting.shift()) {
    const { at } = next;
    if (at.game !== 'othello' || isOver(at)) continue;
    const [seen] = await askAll('explore', { input: { text: next.text } }, stop);
    const known = (seen?.moves ?? []).flatMap(({ move, book }) => (typeof book?.value === 'number' ? [{ move, value: book.value }] : []));
    if (known.length === 0 || seen?.passed) continue;
    const best = Math.max(...known.map(({ value }) => value));
    const good = (most: number): string[] => known.filter(({ value }) => best - value <= most).map(({ move }) => move);
    if (at.side === side) {
      const id = `line-${at.cells}${at.side}`;
      found.set(id, { id, set: 'line', cells: at.cells, side, values: Object.fromEntries(known.map(({ move, value }) => [move, value])), best: good(RIGHT_LOSS), exact: false, box: 0, due: now - found.size });
      onFound(found.size);
    }
    const follow = at.side === side ? good(0).slice(0, 1) : good(THEIR_LOSS);
    for (const move of follow) {
      const square = parseSquare(move);
      const after = square === null || square === PASS ? null : play(at, square);
      // The text of a position says as much as the game that led there.
      if (after?.game === 'othello') waiting.push({ text: `${after.cells} ${after.side}`, at: after });
    }
  }
  return [...found.values()];
}
