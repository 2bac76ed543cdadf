// What is said about the bundle: a hash of its sources, and hash and size of each file. `cargo xtask check` reads it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const web = new URL('../', import.meta.url);

/** Files that the bundle is made of, folders with a slash at the end. */
const SOURCES = ['index.html', 'package-lock.json', 'package.json', 'public/', 'scripts/', 'src/', 'tsconfig.json', 'vite.config.mjs'];

function files(folder) {
  return readdirSync(new URL(folder, web), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(`${folder}${entry.name}/`) : [`${folder}${entry.name}`],
  );
}

/** FNV-1a in 64 bits of each path, a zero byte, the content without carriage returns, and a zero byte, sorted by path. */
export function sourceHash() {
  let hash = 0xcbf29ce484222325n;
  const add = (bytes) => {
    for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  };
  const all = SOURCES.flatMap((name) => (name.endsWith('/') ? files(name) : [name])).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const name of all) {
    add(Buffer.from(name));
    add([0]);
    add(readFileSync(new URL(name, web)).filter((byte) => byte !== 13));
    add([0]);
  }
  return hash.toString(16).padStart(16, '0');
}

export function describe(folder) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(fileURLToPath(folder), join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => name !== 'bundle.json')
    .sort();
  return Object.fromEntries(
    found.map((name) => {
      const bytes = readFileSync(new URL(name, folder));
      return [name, { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length }];
    }),
  );
}
