// The board as a picture: nothing here can be clicked or is read aloud; the grid above it does both.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useKept } from '../ui/kept';
import type { Mark } from '../model/tree';
import type { Worth } from '../model/worth';
import { below, isFramed, onSquare } from '../model/worth';
import type { Position } from '../model/rules';

/** Lengths in units of the picture: a square is 10, the frame with the coordinates 4. */
export const SQUARE = 10;
export const FRAME = 4;

export interface Shown {
  readonly position: Position;
  readonly turn: boolean;
  readonly coordinates: boolean;
  readonly legal: readonly number[];
  readonly last: number | null;
  readonly turned: readonly number[];
  readonly values: ReadonlyMap<number, Worth>;
  readonly best: ReadonlySet<number>;
  readonly marks: readonly Mark[];
  readonly numbers: ReadonlyMap<number, number>;
  readonly ghost: number | null;
  readonly forbidden: readonly number[];
  readonly bars: boolean;
  readonly next: number | null;
}

/** Column and row on the screen, from the top left. */
export function placeOf(square: number, size: number, game: 'othello' | 'gomoku', turn: boolean): [number, number] {
  let x = square % size;
  let y = Math.floor(square / size);
  // Rows of Gomoku are counted from the bottom.
  if (game === 'gomoku') y = size - 1 - y;
  if (turn) [x, y] = [size - 1 - x, size - 1 - y];
  return [x, y];
}

export function squareAt(x: number, y: number, size: number, game: 'othello' | 'gomoku', turn: boolean): number {
  if (turn) [x, y] = [size - 1 - x, size - 1 - y];
  return (game === 'gomoku' ? size - 1 - y : y) * size + x;
}

function Disc({ x, y, side, bar, radius = 4.2 }: { x: number; y: number; side: string; bar: boolean; radius?: number }): JSX.Element {
  const black = side === 'X';
  return (
    <g>
      <circle class="shadow" cx={x} cy={y + 0.35} r={radius} />
      <circle class={black ? 'disc black' : 'disc white'} cx={x} cy={y} r={radius} fill={black ? 'url(#of-black)' : 'url(#of-white)'} />
      {bar && !black && <line class="bar" x1={x - 2} x2={x + 2} y1={y} y2={y} />}
    </g>
  );
}

function MarkShape({ mark, x, y, dark }: { mark: Mark; x: number; y: number; dark: boolean }): JSX.Element {
  const shade = dark ? 'mark on-dark' : 'mark';
  switch (mark.shape) {
    case 'circle':
      return <circle class={shade} cx={x} cy={y} r={2.3} />;
    case 'triangle':
      return <path class={shade} d={`M${x} ${y - 2.6}L${x + 2.4} ${y + 1.7}H${x - 2.4}Z`} />;
    case 'square':
      return <rect class={shade} x={x - 2} y={y - 2} width={4} height={4} />;
    case 'cross':
      return <path class={shade} d={`M${x - 2} ${y - 2}l4 4m0 -4l-4 4`} />;
    default:
      return (
        <text class={`${shade} letter`} x={x} y={y + 1.4}>
          {mark.text ?? 'A'}
        </text>
      );
  }
}

function Value({ worth, x, y, best, game, small }: { worth: Worth; x: number; y: number; best: boolean; game: 'othello' | 'gomoku'; small: boolean }): JSX.Element {
  const text = onSquare(worth, game);
  const detail = below(worth);
  const wide = text.length > 3;
  return (
    <g class={`value ${best ? 'best' : ''} ${worth.kind}`}>
      {isFramed(worth.kind) && <rect class="frame" x={x - 4.3} y={y - 4.3} width={8.6} height={8.6} rx={0.8} />}
      {worth.kind === 'bounds' && <path class="frame" d={`M${x - 4.3} ${y + 1}V${y + 4.3}H${x + 4.3}V${y + 1}`} />}
      {worth.kind === 'book' && <path class="corner" d={`M${x + 4.6} ${y + 4.6}h-3.2l3.2 -3.2z`} />}
      {best && <path class="star" d={star(x - 3.3, y - 3.2)} />}
      <text class={`${isFramed(worth.kind) ? 'sure' : 'guess'} ${wide ? 'wide' : ''} ${small ? 'small' : ''}`} x={x} y={y + (detail ? 0.9 : 1.25)}>
        {text}
      </text>
      {detail && !small && (
        <text class="detail" x={x} y={y + 3.7}>
          {detail}
        </text>
      )}
    </g>
  );
}

function star(x: number, y: number): string {
  const points = Array.from({ length: 10 }, (_, i) => {
    const radius = i % 2 === 0 ? 1.35 : 0.58;
    const angle = (i * Math.PI) / 5 - Math.PI / 2;
    return `${(x + radius * Math.cos(angle)).toFixed(2)} ${(y + radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${points.join('L')}Z`;
}

function Lines({ size, game }: { size: number; game: 'othello' | 'gomoku' }): JSX.Element {
  const edge = FRAME + size * SQUARE;
  const step = game === 'othello' ? 0 : SQUARE / 2;
  const count = game === 'othello' ? size + 1 : size;
  const stars = game === 'othello' ? [[2, 2], [6, 2], [2, 6], [6, 6]] : starPoints(size);
  return (
    <g>
      <rect class={game === 'othello' ? 'felt' : 'wood'} x={FRAME} y={FRAME} width={size * SQUARE} height={size * SQUARE} />
      {Array.from({ length: count }, (_, i) => {
        const at = FRAME + step + i * SQUARE;
        return (
          <g key={i} class="line">
            <line x1={FRAME + step} x2={edge - step} y1={at} y2={at} />
            <line y1={FRAME + step} y2={edge - step} x1={at} x2={at} />
          </g>
        );
      })}
      {stars.map(([x = 0, y = 0]) => (
        <circle key={`${x} ${y}`} class="point" cx={FRAME + step + x * SQUARE} cy={FRAME + step + y * SQUARE} r={game === 'othello' ? 0.8 : 1.1} />
      ))}
    </g>
  );
}

function starPoints(size: number): number[][] {
  if (size < 9) return [];
  const [low, middle, high] = [3, (size - 1) / 2, size - 4];
  const corners = [[low, low], [high, low], [low, high], [high, high]];
  return size % 2 === 1 ? [...corners, [middle, middle]] : corners;
}

/** Letters across and numbers down. */
function Coordinates({ size, game, turn }: { size: number; game: 'othello' | 'gomoku'; turn: boolean }): JSX.Element {
  return (
    <g>
      {Array.from({ length: size }, (_, i) => {
        const column = String.fromCharCode(97 + (turn ? size - 1 - i : i));
        const down = turn ? size - i : i + 1;
        const row = game === 'gomoku' ? size + 1 - down : down;
        const at = FRAME + i * SQUARE + SQUARE / 2;
        return (
          <g key={i} class={size > 10 ? 'coordinate large' : 'coordinate'}>
            <text x={at} y={FRAME - 1.1}>
              {column}
            </text>
            <text x={FRAME / 2} y={at + 1}>
              {row}
            </text>
          </g>
        );
      })}
    </g>
  );
}

export function Picture(shown: Shown): JSX.Element {
  const { position } = shown;
  const { game } = position;
  const size = game === 'othello' ? 8 : position.size;
  const whole = 2 * FRAME + size * SQUARE;
  const center = (square: number): [number, number] => {
    const [x, y] = placeOf(square, size, game, shown.turn);
    return [FRAME + x * SQUARE + SQUARE / 2, FRAME + y * SQUARE + SQUARE / 2];
  };
  const keep = useKept();
  const ground = useMemo(() => <Lines size={size} game={game} />, [size, game]);
  const edge = useMemo(() => <Coordinates size={size} game={game} turn={shown.turn} />, [size, game, shown.turn]);
  const discs: JSX.Element[] = [];
  [...position.cells].forEach((cell, square) => {
    if (cell === '-') return;
    const [x, y] = center(square);
    const shade = shown.turned.includes(square) ? 'flip' : square === shown.last ? 'new' : '';
    const key = `${square}${cell}`;
    discs.push(
      keep(key, `${shade}${x} ${y}${shown.bars}`, () => (
        <g key={key} class={shade}>
          <Disc x={x} y={y} side={cell} bar={shown.bars} />
        </g>
      )),
    );
  });
  return (
    <svg class={`picture ${game}`} viewBox={`0 0 ${whole} ${whole}`} aria-hidden="true" focusable="false">
      <defs>
        <radialGradient id="of-black" cx="38%" cy="32%" r="75%">
          <stop offset="0" stop-color="#4a4f52" />
          <stop offset="0.55" stop-color="#1d2022" />
          <stop offset="1" stop-color="#0a0b0c" />
        </radialGradient>
        <radialGradient id="of-white" cx="38%" cy="30%" r="80%">
          <stop offset="0" stop-color="#ffffff" />
          <stop offset="0.6" stop-color="#f3f1ea" />
          <stop offset="1" stop-color="#cfcabd" />
        </radialGradient>
      </defs>
      <rect class="rim" width={whole} height={whole} rx={2.2} />
      {ground}
      {shown.coordinates && edge}
      {discs}
      {shown.legal
        .filter((square) => !shown.values.has(square))
        .map((square) => {
          const [x, y] = center(square);
          return <circle key={square} class="legal" cx={x} cy={y} r={1.05} />;
        })}
      {shown.forbidden.map((square) => {
        const [x, y] = center(square);
        return <path key={square} class="forbidden" d={`M${x - 1.8} ${y - 1.8}l3.6 3.6m0 -3.6l-3.6 3.6`} />;
      })}
      {[...shown.values].map(([square, worth]) => {
        const [x, y] = center(square);
        return <Value key={square} worth={worth} x={x} y={y} best={shown.best.has(square)} game={game} small={size > 10} />;
      })}
      {shown.next !== null && shown.next < position.cells.length && position.cells[shown.next] === '-' && (
        <circle class="next" cx={center(shown.next)[0]} cy={center(shown.next)[1]} r={4.1} />
      )}
      {shown.last !== null && shown.last < position.cells.length && !shown.numbers.has(shown.last) && (
        <circle class={position.cells[shown.last] === 'X' ? 'last on-dark' : 'last'} cx={center(shown.last)[0]} cy={center(shown.last)[1]} r={1.1} />
      )}
      {[...shown.numbers].map(([square, n]) => {
        const [x, y] = center(square);
        return (
          <text key={square} class={`${position.cells[square] === 'X' ? 'number on-dark' : 'number'} ${square === shown.last ? 'newest' : ''}`} x={x} y={y + 1.3}>
            {n}
          </text>
        );
      })}
      {shown.marks.map((mark) => {
        const [x, y] = center(mark.at);
        return <MarkShape key={`${mark.at}${mark.shape}`} mark={mark} x={x} y={y} dark={position.cells[mark.at] === 'X'} />;
      })}
      {shown.ghost !== null && (
        <g class="ghost">
          <Disc x={center(shown.ghost)[0]} y={center(shown.ghost)[1]} side={position.side} bar={false} />
        </g>
      )}
    </svg>
  );
}
