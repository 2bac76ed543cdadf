// Everything about the page that needs Node but no browser: messages, types, lint, tests, and the bundle byte by byte.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const web = resolve(import.meta.dirname, '..');
const steps = [
  ['messages', 'node', ['scripts/messages.mjs', '--check']],
  ['types', 'npx', ['tsc']],
  ['lint', 'npx', ['oxlint', '--deny-warnings', 'src', 'test', 'scripts']],
  ['tests', 'npx', ['vitest', 'run']],
];
const run = (name, program, args) => {
  const begun = Date.now();
  const { status } = spawnSync(program, args, { cwd: web, stdio: 'inherit' });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  if (status !== 0) process.exit(1);
};
for (const [name, program, args] of steps) run(name, program, args);

const folder = mkdtempSync(join(tmpdir(), 'outflank-web-'));
try {
  run('bundle', 'node', ['scripts/build.mjs', '--to', folder]);
  const [mine, kept] = [folder, join(web, '../crates/server/page')].map((where) => JSON.parse(readFileSync(join(where, 'bundle.json'), 'utf8')));
  const names = new Set([...Object.keys(mine.files), ...Object.keys(kept.files)]);
  const differ = [...names].filter((name) => mine.files[name]?.sha256 !== kept.files[name]?.sha256);
  if (differ.length > 0 || mine.sources !== kept.sources) {
    console.error(`crates/server/page is not what the sources give (${differ.join(', ') || 'hash of the sources'}): run \`npm run build\` in web/`);
    process.exit(1);
  }
  console.log('ok   crates/server/page is what the sources give');
} finally {
  rmSync(folder, { recursive: true });
}
