// The rules of Othello, so that the board never waits for an engine. Everything else about the game is asked of the engine.

export type Side = 'X' | 'O';

/** 64 characters, a1 b1 … h8: `X` black, `O` white, `-` empty; and whose move it is. */
export interface Board {
  readonly cells: string;
  readonly side: Side;
}

export const PASS = 64;
export const START: Board = { cells: '---------------------------OX------XO---------------------------', side: 'X' };

export const other = (side: Side): Side => (side === 'X' ? 'O' : 'X');

/** For each square, the squares that lie in each of the eight directions, nearest first. */
const RAYS: readonly (readonly (readonly number[])[])[] = Array.from({ length: 64 }, (_, square) => {
  const rays: number[][] = [];
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]] as const) {
    const ray: number[] = [];
    for (let x = (square % 8) + dx, y = (square >> 3) + dy; x >= 0 && x < 8 && y >= 0 && y < 8; x += dx, y += dy) {
      ray.push(y * 8 + x);
    }
    // A single square cannot hold an enclosed disc and its far end.
    if (ray.length > 1) rays.push(ray);
  }
  return rays;
});

/** The discs that a move turns; none if the move is not legal. */
export function flips(board: Board, square: number): number[] {
  const { cells, side } = board;
  const turned: number[] = [];
  if (cells[square] !== '-') return turned;
  const them = other(side);
  for (const ray of RAYS[square]!) {
    let length = 0;
    while (length < ray.length && cells[ray[length]!] === them) length += 1;
    if (length > 0 && length < ray.length && cells[ray[length]!] === side) turned.push(...ray.slice(0, length));
  }
  return turned;
}

/** Whether a move turns anything; the same as `flips`, without making the list. */
function turnsAny({ cells, side }: Board, square: number): boolean {
  if (cells[square] !== '-') return false;
  const them = other(side);
  return RAYS[square]!.some((ray) => {
    let length = 0;
    while (length < ray.length && cells[ray[length]!] === them) length += 1;
    return length > 0 && length < ray.length && cells[ray[length]!] === side;
  });
}

function canMove(board: Board): boolean {
  for (let square = 0; square < 64; square += 1) if (turnsAny(board, square)) return true;
  return false;
}

/** The squares where the side to move may play; empty where it must pass and where the game is over. */
export function squares(board: Board): number[] {
  const found: number[] = [];
  for (let square = 0; square < 64; square += 1) {
    if (turnsAny(board, square)) found.push(square);
  }
  return found;
}

const turn = (board: Board): Board => ({ cells: board.cells, side: other(board.side) });

export const isOver = (board: Board): boolean => !canMove(board) && !canMove(turn(board));
export const mustPass = (board: Board): boolean => !canMove(board) && canMove(turn(board));

/** The legal moves, a pass among them where it is the only one. */
export function moves(board: Board): number[] {
  const found = squares(board);
  return found.length === 0 && canMove(turn(board)) ? [PASS] : found;
}

/** The board after a move, or null where the move is not legal. */
export function play(board: Board, move: number): Board | null {
  if (move === PASS) return mustPass(board) ? turn(board) : null;
  const turned = flips(board, move);
  if (turned.length === 0) return null;
  const cells = [...board.cells];
  for (const square of [move, ...turned]) cells[square] = board.side;
  return { cells: cells.join(''), side: other(board.side) };
}

export function count(cells: string): { black: number; white: number; empty: number } {
  let black = 0;
  let white = 0;
  for (const cell of cells) {
    if (cell === 'X') black += 1;
    else if (cell === 'O') white += 1;
  }
  return { black, white, empty: cells.length - black - white };
}

/** The result for black: the empty squares of a finished game belong to the winner. */
export function result(board: Board): number {
  const { black, white, empty } = count(board.cells);
  if (black === white) return 0;
  return black > white ? black - white + empty : black - white - empty;
}

export function squareName(square: number): string {
  return square === PASS ? 'pass' : `${'abcdefgh'[square % 8]}${(square >> 3) + 1}`;
}

export function parseSquare(text: string): number | null {
  const name = text.toLowerCase();
  if (name === 'pass' || name === 'pa' || name === '--') return PASS;
  if (!/^[a-h][1-8]$/.test(name)) return null;
  return (name.charCodeAt(1) - 49) * 8 + name.charCodeAt(0) - 97;
}

/** Turns a board by the symmetry `which` (0 to 7), as the square that lands where `square` was. */
export function turnSquare(square: number, which: number): number {
  if (square === PASS) return PASS;
  let x = square % 8;
  let y = square >> 3;
  if (which & 1) x = 7 - x;
  if (which & 2) y = 7 - y;
  if (which & 4) [x, y] = [y, x];
  return y * 8 + x;
}
