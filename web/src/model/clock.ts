// A game clock on absolute times, so that a page in the background loses nothing.
import { other, type Side } from './othello';

export interface Clock {
  readonly increment: number;
  readonly left: Readonly<Record<Side, number>>;
  /** Whose time runs, and since when; null while it stands still. */
  readonly running: { readonly side: Side; readonly since: number } | null;
}

export const newClock = (seconds: number, increment: number): Clock => ({ increment, left: { X: seconds, O: seconds }, running: null });

/** Seconds that a side has left at `now` (in milliseconds), never below 0. */
export function left(clock: Clock, side: Side, now: number): number {
  const spent = clock.running?.side === side ? (now - clock.running.since) / 1000 : 0;
  return Math.max(0, clock.left[side] - spent);
}

export const start = (clock: Clock, side: Side, now: number): Clock => ({ ...pause(clock, now), running: { side, since: now } });

export function pause(clock: Clock, now: number): Clock {
  if (!clock.running) return clock;
  const { side } = clock.running;
  return { ...clock, left: { ...clock.left, [side]: left(clock, side, now) }, running: null };
}

/** The running side has moved: its increment is added and the other side's time runs. */
export function press(clock: Clock, now: number): Clock {
  if (!clock.running) return clock;
  const { side } = clock.running;
  const stopped = pause(clock, now);
  return start({ ...stopped, left: { ...stopped.left, [side]: stopped.left[side] + clock.increment } }, other(side), now);
}

export const flagged = (clock: Clock, now: number): Side | null =>
  (['X', 'O'] as const).find((side) => left(clock, side, now) <= 0) ?? null;

/** `300+3` or `5:00+3`: seconds for the game, and what a move adds. */
export function parseClock(text: string): { seconds: number; increment: number } | null {
  const found = /^(?:(\d{1,3}):)?(\d{1,5})(?:\+(\d{1,3}))?$/.exec(text.trim());
  if (!found) return null;
  const seconds = Number(found[1] ?? 0) * 60 + Number(found[2]);
  return seconds > 0 ? { seconds, increment: Number(found[3] ?? 0) } : null;
}

export function clockText(seconds: number): string {
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
