// The running search of the position on the board.
import { computed, effect, signal, untracked } from '@preact/signals';
import { Cache, type Known, type Line } from '../engine/cache';
import type { AnalyzeRequest } from '../engine/messages';
import { isOver, mustPass } from '../model/rules';
import { path, position, tree } from './document';
import { ask } from './engine';
import { settings } from './settings';
import { gameFields, keyOf, lineOf, positionInput } from './wire';

export const cache = new Cache();
/** Counts what was learned, so that what shows values looks again. */
const learned = signal(0);

export const on = signal(false);
export const searching = signal(false);
export const trouble = signal('');
export const goal = signal<'best' | 'exact'>('best');
/** Seconds beyond the setting, for "deeper". */
const more = signal(0);

export const key = computed(() => keyOf(position.value));
export const known = computed<Known | undefined>(() => {
  void learned.value;
  return cache.get(key.value);
});
export const lines = computed<readonly Line[]>(() => (on.value || searching.value ? (known.value?.lines ?? []) : []));

export function learn(of: string, found: readonly Line[], nodes?: number, seconds?: number): void {
  cache.add(of, found, nodes, seconds);
  learned.value += 1;
}

let isDue = false;

/** The same for news of a search, of which several come between two frames: what shows values looks once a frame. */
function learnNews(of: string, found: Line, nodes: number, seconds: number): void {
  cache.add(of, [found], nodes, seconds);
  if (isDue) return;
  isDue = true;
  const look = (): void => {
    isDue = false;
    learned.value += 1;
  };
  // There are no frames while nobody sees the page.
  if (document.hidden) setTimeout(look);
  else requestAnimationFrame(look);
}

export function knownOf(of: string): Known | undefined {
  void learned.value;
  return cache.get(of);
}

let stop: AbortController | null = null;

export function halt(): void {
  stop?.abort();
  stop = null;
}

async function search(): Promise<void> {
  halt();
  const at = position.value;
  trouble.value = '';
  if (isOver(at) || mustPass(at)) return;
  const own = new AbortController();
  stop = own;
  const of = keyOf(at);
  const { lines: wanted, seconds } = settings.value;
  const request: AnalyzeRequest = {
    ...gameFields(at),
    input: positionInput(tree.value, path.value),
    lines: at.game === 'gomoku' ? Math.min(wanted, 8) : wanted,
    goal: goal.value,
    limits: goal.value === 'exact' ? {} : { seconds: seconds + more.value },
    progress: true,
  };
  searching.value = true;
  try {
    await ask(
      'analyze',
      request,
      (event) => {
        if ('progress' in event) {
          const line = lineOf(at, event.progress);
          if (line) learnNews(of, line, event.progress.nodes, event.progress.seconds);
        } else if ('lines' in event) learn(of, event.lines.flatMap((line) => lineOf(at, line) ?? []), event.nodes, event.seconds);
      },
      own.signal,
    );
  } catch (error) {
    if (!own.signal.aborted) trouble.value = (error as Error).message;
  } finally {
    if (stop === own || stop === null) searching.value = false;
  }
}

/** Milliseconds within which a second change of the board means that somebody walks through a game. */
const WALK = 250;
/** How long such a walker has to rest, in milliseconds. */
const REST = 60;

/** Follows the board while analysis is on. */
export function startAnalysis(): void {
  let last = '';
  let changed = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const now = on.value ? `${key.value}|${goal.value}|${more.value}|${settings.value.lines}|${settings.value.seconds}` : '';
    if (now === last) return;
    const moved = !last.startsWith(`${key.value}|`);
    last = now;
    clearTimeout(timer);
    untracked(() => {
      if (!now) {
        halt();
        searching.value = false;
        return;
      }
      if (moved && (goal.value !== 'best' || more.value !== 0)) {
        goal.value = 'best';
        more.value = 0;
        return;
      }
      // Who walks through a game does not want a search of every position on the way.
      const before = changed;
      changed = performance.now();
      timer = setTimeout(() => void search(), changed - before < WALK ? REST : 0);
    });
  });
}

export function deeper(): void {
  on.value = true;
  more.value += Math.max(10, settings.value.seconds * 2);
}

export function solveExactly(): void {
  on.value = true;
  goal.value = 'exact';
}
