// Builds crates/server/page: the page by Vite, the offline worker, bundle.json; and refuses what is over budget.
// `--to FOLDER` writes elsewhere, to compare.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { build } from 'vite';
import { describe, sourceHash } from './bundle.mjs';

const at = process.argv.indexOf('--to');
const folder = at > 0 ? resolve(process.argv[at + 1]) : resolve(import.meta.dirname, '../../crates/server/page');
const page = pathToFileURL(`${folder}/`);
const result = await build({ root: resolve(import.meta.dirname, '..'), logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });

const shell = Object.keys(describe(page)).filter((name) => name !== 'index.html');
const content = createHash('sha256');
for (const name of ['index.html', ...shell]) content.update(readFileSync(new URL(name, page)));
const version = content.digest('hex').slice(0, 12);
const worker = readFileSync(new URL('offline.js', import.meta.url), 'utf8')
  .replace("'@VERSION@'", JSON.stringify(version))
  .replace("['@FILES@']", JSON.stringify(['./', ...shell.map((name) => `./${name}`)]));
writeFileSync(new URL('sw.js', page), worker);

const files = describe(page);
writeFileSync(new URL('bundle.json', page), `${JSON.stringify({ sources: sourceHash(), files }, null, 1)}\n`);

// Budgets, gzip: what the first view needs; each later screen; a dictionary.
const KB = 1000;
const chunks = result.output.filter((item) => item.type === 'chunk');
const first = new Set(['index.html']);
const follow = (name) => {
  if (first.has(name)) return;
  first.add(name);
  chunks.find((chunk) => chunk.fileName === name)?.imports.forEach(follow);
};
chunks.filter((chunk) => chunk.isEntry).forEach((chunk) => follow(chunk.fileName));
result.output.filter((item) => item.fileName.endsWith('.css')).forEach((item) => first.add(item.fileName));
const firstSize = [...first].reduce((sum, name) => sum + (files[name]?.gzip ?? 0), 0);
let failed = false;
const line = (what, size, most) => {
  const over = size > most;
  failed ||= over;
  console.log(`${over ? 'TOO LARGE ' : ''}${what}: ${(size / KB).toFixed(1)} kB gzip, at most ${most / KB}`);
};
line('first load', firstSize, 120 * KB);
for (const [name, { gzip }] of Object.entries(files)) {
  if (first.has(name) || !name.endsWith('.js')) continue;
  line(name, gzip, /\/ja-/.test(name) ? 12 * KB : 40 * KB);
}
if (failed) process.exit(1);
