// The board: the picture, and over it one real button for each square, for fingers, keys and ears alike.
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import { t } from '../i18n';
import { moveName, type Position } from '../model/rules';
import type { Mark } from '../model/tree';
import { inWords, type Worth } from '../model/worth';
import { useKept } from '../ui/kept';
import { FRAME, Picture, SQUARE, squareAt, type Shown } from './picture';

/** Which square has the focus when one comes to the board with Tab; kept while the page is open. */
const focused = signal(27);

export interface BoardProps {
  position: Position;
  label?: string;
  turn?: boolean;
  coordinates?: boolean;
  legal?: readonly number[];
  last?: number | null;
  turned?: readonly number[];
  values?: ReadonlyMap<number, Worth>;
  best?: ReadonlySet<number>;
  marks?: readonly Mark[];
  numbers?: ReadonlyMap<number, number>;
  forbidden?: readonly number[];
  bars?: boolean;
  dots?: boolean;
  confirm?: boolean;
  next?: number | null;
  /** A tap or Enter on a square; left out where the board only shows. */
  onSquare?: ((square: number) => void) | undefined;
}

const NONE: readonly number[] = [];
const NO_VALUES: ReadonlyMap<number, Worth> = new Map();
const NO_BEST: ReadonlySet<number> = new Set();
const NO_NUMBERS: ReadonlyMap<number, number> = new Map();

function nameOf(props: BoardProps, square: number): string {
  const { position, legal = NONE, values = NO_VALUES, forbidden = NONE } = props;
  const cell = position.cells[square];
  const parts = [moveName(position, square), cell === 'X' ? t('black') : cell === 'O' ? t('white') : t('empty')];
  if (forbidden.includes(square)) parts.push(t('forbidden'));
  else if (legal.includes(square) && position.game === 'othello') parts.push(t('legal'));
  if (square === props.last) parts.push(t('last_move'));
  const worth = values.get(square);
  if (worth) parts.push(inWords(worth, position.game));
  if (props.best?.has(square)) parts.push(t('best'));
  for (const mark of props.marks ?? []) if (mark.at === square) parts.push(mark.text ?? t(`mark_${mark.shape}`));
  return parts.join(', ');
}

export function Board(props: BoardProps): JSX.Element {
  const { position, turn = false, legal = NONE, onSquare } = props;
  const { game } = position;
  const size = game === 'othello' ? 8 : position.size;
  const ghost = useSignal<number | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const wished = Math.min(focused.value, size * size - 1);
  const keep = useKept();

  useEffect(() => {
    ghost.value = null;
  }, [position]);

  const tap = (square: number): void => {
    focused.value = square;
    if (!onSquare) return;
    if (props.confirm && legal.includes(square) && ghost.value !== square) ghost.value = square;
    else {
      ghost.value = null;
      onSquare(square);
    }
  };

  const squareOf = (target: EventTarget | null): number | null => {
    const [x, y] = (target as Element).closest<HTMLElement>('[data-xy]')?.dataset.xy!.split(' ').map(Number) ?? [];
    return x === undefined || y === undefined ? null : squareAt(x, y, size, game, turn);
  };

  const key = (event: KeyboardEvent): void => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const button = (event.target as HTMLElement).closest<HTMLElement>('[data-xy]');
    if (!button) return;
    let [x = 0, y = 0] = button.dataset.xy!.split(' ').map(Number);
    const step = steps[event.key];
    if (step) [x, y] = [x + step[0], y + step[1]];
    else if (event.key === 'Home') x = 0;
    else if (event.key === 'End') x = size - 1;
    else if (event.key === 'PageUp') y = 0;
    else if (event.key === 'PageDown') y = size - 1;
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    focused.value = squareAt(x, y, size, game, turn);
    grid.current?.querySelector<HTMLElement>(`[data-xy="${x} ${y}"]`)?.focus();
  };

  const shown: Shown = {
    position,
    turn,
    coordinates: props.coordinates ?? true,
    legal: game === 'othello' && (props.dots ?? true) ? legal : NONE,
    last: props.last ?? null,
    turned: props.turned ?? NONE,
    values: props.values ?? NO_VALUES,
    best: props.best ?? NO_BEST,
    marks: props.marks ?? [],
    numbers: props.numbers ?? NO_NUMBERS,
    ghost: ghost.value,
    forbidden: props.forbidden ?? NONE,
    bars: props.bars ?? false,
    next: props.next ?? null,
  };
  const inset = `${(100 * FRAME) / (2 * FRAME + size * SQUARE)}%`;
  return (
    <div class={`board ${game}`}>
      <Picture {...shown} />
      <div
        ref={grid}
        class="grid"
        role="grid"
        aria-label={props.label ?? t('board')}
        aria-rowcount={size}
        aria-colcount={size}
        style={{ inset, '--n': size } as Record<string, string | number>}
        onKeyDown={key}
        onClick={(event) => {
          const square = squareOf(event.target);
          if (square !== null) tap(square);
        }}
        onFocusIn={(event) => {
          const square = squareOf(event.target);
          if (square !== null) focused.value = square;
        }}
      >
        {Array.from({ length: size }, (_, y) => (
          <div key={y} class="row" role="row" aria-rowindex={y + 1}>
            {Array.from({ length: size }, (_x, x) => {
              const square = squareAt(x, y, size, game, turn);
              const can = onSquare !== undefined && legal.includes(square);
              const label = nameOf(props, square);
              return keep(`${x} ${y}`, `${square}${can}${square === wished}${label}`, () => (
                <button
                  key={x}
                  type="button"
                  role="gridcell"
                  aria-colindex={x + 1}
                  class={can ? 'square can' : 'square'}
                  data-xy={`${x} ${y}`}
                  data-square={moveName(position, square)}
                  tabIndex={square === wished ? 0 : -1}
                  aria-label={label}
                />
              ));
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
