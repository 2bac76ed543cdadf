// Positions of random games as `outflank show --json` sees them. `node test/unit/positions.mjs OUTFLANK` writes positions.json again.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const START = '---------------------------OX------XO--------------------------- X';

/** @returns {{board: string, side: string, legal: string, over: boolean, result: number | null}[]} */
export function positions(program, games, seed) {
  // A small generator, so that two runs give the same games.
  let state = seed;
  const random = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const found = new Map();
  let open = Array.from({ length: games }, () => []);
  while (open.length > 0) {
    const input = open.map((moves) => moves.join('') || START).join('\n');
    const { stdout, status } = spawnSync(program, ['show', '-', '--json'], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (status !== 0) throw new Error(`${program} show failed`);
    const seen = stdout.trim().split('\n').map((line) => JSON.parse(line));
    const next = [];
    seen.forEach((at, i) => {
      found.set(at.board + at.side, { board: at.board, side: at.side, legal: at.legal.join(' '), over: at.over, result: at.result ?? null });
      if (at.over) return;
      const move = at.legal[random(at.legal.length)];
      next.push([...open[i], move === 'pass' ? 'pa' : move]);
    });
    open = next;
  }
  return [...found.values()];
}

const [, file, program] = process.argv;
if (program && file?.endsWith('positions.mjs')) {
  const rows = positions(program, 13, 11).map(({ board, side, legal, over, result }) => [board, side, legal, over ? 1 : 0, result]);
  writeFileSync(new URL('positions.json', import.meta.url), `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`);
}
