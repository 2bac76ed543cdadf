// What a value says and how sure it is, in shape and in words.
import { number, plural, signed, t } from '../i18n';
import type { Game } from './rules';

export type WorthKind = 'exact' | 'wld' | 'bounds' | 'estimate' | 'book' | 'aborted' | 'win' | 'loss';

export interface Worth {
  readonly value: number;
  readonly kind: WorthKind;
  readonly depth: number;
  readonly confidence?: number | null;
  readonly stones?: number | null;
}

/** How much a value proves: a proven one is never replaced by a guess, a deep one never by a shallow one. */
export function rank(worth: Worth): number {
  const base = { exact: 5000, win: 5000, loss: 5000, wld: 4000, bounds: 1500, book: 1000, estimate: 1000, aborted: 0 }[worth.kind];
  return base + worth.depth * 10 + (worth.confidence ?? 0) / 100;
}

/** Stones to a proven end, the fewer the better for who wins and the worse for who loses. */
const haste = (worth: Worth): number => (worth.stones ?? 0) * (worth.kind === 'loss' ? 1 : -1);

/** Orders what is better before what is worse; of equal values the fast win, the slow loss, and the surer value. */
export const compare = (a: Worth, b: Worth): number => b.value - a.value || haste(b) - haste(a) || rank(b) - rank(a);

export const isProven = (kind: WorthKind): boolean => kind === 'exact' || kind === 'win' || kind === 'loss';
export const isFramed = (kind: WorthKind): boolean => isProven(kind) || kind === 'wld';

/** The sign and whole number, without a plus sign. */
const short = (value: number): string => signed(value).replace('+', '');

/** What stands on the square. */
export function onSquare(worth: Worth, game: Game): string {
  switch (worth.kind) {
    case 'exact':
      return signed(worth.value);
    case 'wld':
      return worth.value > 0 ? t('short_win') : worth.value < 0 ? t('short_loss') : t('short_draw');
    case 'win':
      return worth.stones ? `${t('short_win')}${worth.stones}` : t('short_win');
    case 'loss':
      return worth.stones ? `${t('short_loss')}${worth.stones}` : t('short_loss');
    case 'bounds':
      return `≥${signed(worth.value)}`;
    case 'aborted':
      return '…';
    default:
      return game === 'gomoku' ? `${Math.round(worth.value)}` : `≈${short(worth.value)}`;
  }
}

/** What is said below a value on the square, where there is room. */
export function below(worth: Worth): string {
  if (worth.kind !== 'estimate') return '';
  return worth.confidence ? `${worth.depth}·${worth.confidence}%` : `${worth.depth}`;
}

/** In the panel: with decimals where there are any. */
export function inPanel(worth: Worth, game: Game): string {
  if (worth.kind === 'estimate' || worth.kind === 'book') {
    return game === 'gomoku' ? `${number(worth.value, 0)} %` : `≈${signed(worth.value, 1)}`;
  }
  return onSquare(worth, game);
}

/** The kind alone, short. */
export function kindText(worth: Worth): string {
  switch (worth.kind) {
    case 'estimate':
      return worth.confidence ? t('kind_estimate', { depth: worth.depth, confidence: worth.confidence }) : t('kind_depth', { depth: worth.depth });
    case 'win':
    case 'loss':
    case 'exact':
      return t('kind_exact');
    case 'wld':
      return t('kind_wld');
    case 'bounds':
      return t('kind_bounds');
    case 'book':
      return t('kind_book');
    default:
      return t('kind_aborted');
  }
}

function spoken(value: number): string {
  const whole = Math.round(value);
  if (whole === 0) return t('say_zero');
  return t(whole > 0 ? 'say_plus' : 'say_minus', { n: number(Math.abs(whole)) });
}

/** For ears. */
export function inWords(worth: Worth, game: Game): string {
  switch (worth.kind) {
    case 'exact':
      return t('say_exact', { value: spoken(worth.value) });
    case 'wld':
      return worth.value > 0 ? t('say_win') : worth.value < 0 ? t('say_loss') : t('say_draw');
    case 'win':
      return t('say_proven_win', { stones: plural('stones', worth.stones ?? 0) });
    case 'loss':
      return t('say_proven_loss', { stones: plural('stones', worth.stones ?? 0) });
    case 'bounds':
      return t('say_bounds', { value: spoken(worth.value) });
    case 'book':
      return t('say_book', { value: spoken(worth.value) });
    case 'aborted':
      return t('say_aborted');
    default:
      if (game === 'gomoku') return t('say_chance', { n: Math.round(worth.value), depth: worth.depth });
      return t('say_estimate', { value: spoken(worth.value), depth: worth.depth, confidence: worth.confidence ?? 0 });
  }
}
