// A game against the engine, or between two people at one screen.
import { computed, effect, signal, untracked } from '@preact/signals';
import { t } from '../i18n';
import * as clocks from '../model/clock';
import type { Clock } from '../model/clock';
import { other, result } from '../model/othello';
import { readGame } from '../model/link';
import { isOver, mustPass, parseMove, PASS, type Game, type Position, type Side } from '../model/rules';
import { remove, type Tree } from '../model/tree';
import { halt, on as analysisOn } from './analysis';
import * as doc from './document';
import { ask, askAll } from './engine';
import { gameFields, gameInput } from './wire';

/** How an opponent plays: one that errs as people do, a numbered level, or seconds a move. */
export type Strength = { human: number } | { level: number } | { seconds: number };
export interface Opponent {
  readonly id: string;
  readonly strength: Strength | null;
  /** Gives away what it is ahead, so that the game stays open to the end. */
  readonly close?: true;
}

/** Those by name, and `people` for two at one screen. */
export const NAMED: readonly Opponent[] = [
  { id: 'beginner', strength: { human: 2 } },
  { id: 'casual', strength: { human: 3 } },
  { id: 'club', strength: { human: 5 } },
  { id: 'strong', strength: { human: 8 } },
  { id: 'expert', strength: { level: 14 } },
  { id: 'perfect', strength: { seconds: 5 } },
  { id: 'close', strength: { level: 8 }, close: true },
];

export function opponentOf(id: string): Opponent | null {
  if (id === 'people') return { id, strength: null };
  const named = NAMED.find((each) => each.id === id);
  if (named) return named;
  const found = /^(human|level)-?(\d{1,2})$/.exec(id);
  const n = Number(found?.[2]);
  if (found?.[1] === 'human' && n >= 1 && n <= 8) return { id: `human-${n}`, strength: { human: n } };
  if (found?.[1] === 'level' && n >= 1 && n <= 60) return { id: `level-${n}`, strength: { level: n } };
  return null;
}

export interface Match {
  readonly opponent: Opponent;
  /** The colors that people play. */
  readonly people: readonly Side[];
  readonly seed: number;
  readonly clock: Clock | null;
  readonly casual: boolean;
  readonly hints: boolean;
  readonly ended: { readonly by: 'board' | 'resigned' | 'time'; readonly winner: Side | null } | null;
}

export const match = signal<Match | null>(null);
export const thinking = signal(false);
export const paused = signal(false);
export const trouble = signal('');
export const now = signal(Date.now());

/** Whether a person is to move here. */
export const personToMove = computed(() => {
  const { value } = match;
  return !value || value.ended !== null || value.people.includes(doc.position.value.side);
});

export interface Start {
  game: Game;
  opponent: Opponent;
  color: 'black' | 'white' | 'random';
  clock: { seconds: number; increment: number } | null;
  casual: boolean;
  hints: boolean;
  from: Tree | null;
}

/** A start of eight random discs that neither side has the better of, by the engine's own values. */
export async function randomStart(): Promise<Tree> {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
  const [found] = await askAll('openings', { moves: 8, within: 1, count: 1, seed });
  if (!found) throw new Error(t('no_answer'));
  return readGame(found.opening).tree;
}

export function begin(start: Start): void {
  stopThinking();
  halt();
  analysisOn.value = false;
  const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
  const mine: Side = start.color === 'black' || (start.color === 'random' && seed % 2 === 0) ? 'X' : 'O';
  doc.game.value = start.game;
  if (start.from) doc.replace(start.from);
  else doc.newGame(start.game);
  doc.setRecord(null);
  const clock = start.clock ? clocks.newClock(start.clock.seconds, start.clock.increment) : null;
  paused.value = false;
  match.value = {
    opponent: start.opponent,
    people: start.opponent.strength ? [mine] : ['X', 'O'],
    seed,
    clock: clock && clocks.start(clock, doc.position.value.side, Date.now()),
    casual: start.casual,
    hints: start.hints,
    ended: null,
  };
}

export function winnerOf(position: Position): Side | null {
  if (position.game === 'gomoku') return position.won;
  const margin = result(position);
  return margin > 0 ? 'X' : margin < 0 ? 'O' : null;
}

function end(by: 'board' | 'resigned' | 'time', winner: Side | null): void {
  const { value } = match;
  if (!value || value.ended) return;
  stopThinking();
  match.value = { ...value, clock: value.clock && clocks.pause(value.clock, Date.now()), ended: { by, winner } };
}

/** A move of a person. */
export function humanMove(move: number): boolean {
  if (match.value && !match.value.ended && !personToMove.value) return false;
  return played(move);
}

function played(move: number): boolean {
  if (!doc.playMove(move)) return false;
  const { value } = match;
  if (value?.clock && !value.ended) match.value = { ...value, clock: clocks.press(value.clock, Date.now()) };
  return true;
}

let stop: AbortController | null = null;

function stopThinking(): void {
  stop?.abort();
  stop = null;
  thinking.value = false;
}

/** Ends the engine's search; it plays the best move that it has. */
export function moveNow(): void {
  stop?.abort();
}

async function think(value: Match, strength: Strength): Promise<void> {
  stopThinking();
  const own = new AbortController();
  stop = own;
  thinking.value = true;
  trouble.value = '';
  const at = doc.position.value;
  const begun = Date.now();
  let answer: string | null = null;
  try {
    if (mustPass(at)) answer = 'pass';
    else {
      const move = (limits: Strength | { depth: number }, signal?: AbortSignal): Promise<unknown> =>
        ask(
          'play',
          { ...gameFields(at), input: gameInput(doc.tree.value, doc.path.value), limits, ...(('human' in limits || value.opponent.close) && { seed: value.seed }), ...(value.opponent.close && { close: true }) },
          (event) => {
            answer = event.move ?? null;
          },
          signal,
        );
      await move(strength, own.signal);
      // Hurried before there was anything to say.
      if (stop === own && own.signal.aborted && answer === null) await move({ depth: 4 });
    }
    // An answer that comes at once looks like no answer; half a second is what the eye needs to see its own move.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 450 - (Date.now() - begun))));
  } catch (error) {
    if (stop === own) trouble.value = (error as Error).message;
  }
  if (stop !== own) return;
  stop = null;
  thinking.value = false;
  if (doc.position.value !== at) return;
  const move = answer === 'pass' ? PASS : answer === null ? null : parseMove(at, answer);
  // Without a move the game would stand still and not say why.
  if ((move === null || !played(move)) && !trouble.value) trouble.value = t('no_answer');
}

/** Lets the engine move when it is its turn at the end of the game on the board. */
export function startMatches(): void {
  effect(() => {
    const { value } = match;
    const at = doc.position.value;
    const atEnd = doc.node.value.children.length === 0;
    const waits = paused.value || trouble.value !== '';
    if (!value || value.ended || !atEnd || doc.tree.value.start.game !== at.game) return;
    untracked(() => {
      if (isOver(at)) end('board', winnerOf(at));
      else if (!waits && !thinking.value && value.opponent.strength && !value.people.includes(at.side)) void think(value, value.opponent.strength);
    });
  });
  setInterval(() => {
    const { value } = match;
    if (!value?.clock || value.ended || paused.value) return;
    now.value = Date.now();
    const lost = clocks.flagged(value.clock, now.value);
    if (lost && !value.casual) end('time', other(lost));
  }, 100);
}

/** Takes back to where a person was last to move. */
export function takeBack(): void {
  const { value } = match;
  stopThinking();
  trouble.value = '';
  let at = doc.path.value.slice(0, -1);
  if (value) {
    const sides = (path: readonly number[]): Side => {
      doc.go(path);
      return doc.position.value.side;
    };
    const from = doc.path.value;
    while (at.length > 0 && (!value.people.includes(sides(at)) || doc.passes.value)) at = at.slice(0, -1);
    doc.go(from);
    // The engine would move at once again; before its first move there is nothing to take back.
    if (!value.people.includes(sides(at))) {
      doc.go(from);
      return;
    }
    if (value.ended) match.value = { ...value, ended: null };
  }
  doc.go(at);
  const child = doc.node.value.children.length - 1;
  if (child >= 0 && value) {
    // What was taken back goes, so that the engine answers anew.
    let tree = doc.tree.value;
    for (let i = child; i >= 0; i -= 1) ({ tree } = remove(tree, [...at, i]));
    doc.edit({ tree, path: at });
  }
}

export function resign(): void {
  const { value } = match;
  if (!value) return;
  const side = value.people.length === 1 ? value.people[0]! : doc.position.value.side;
  end('resigned', other(side));
}

export function togglePause(): void {
  const { value } = match;
  paused.value = !paused.value;
  if (!value?.clock) return;
  const time = Date.now();
  match.value = {
    ...value,
    clock: paused.value ? clocks.pause(value.clock, time) : clocks.start(value.clock, doc.position.value.side, time),
  };
}

export function swapColors(): void {
  const { value } = match;
  if (!value || value.people.length !== 1) return;
  stopThinking();
  match.value = { ...value, people: [other(value.people[0]!)] };
}

export function retry(): void {
  trouble.value = '';
}

export function leave(): void {
  stopThinking();
  match.value = null;
}
