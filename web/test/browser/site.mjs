// A plain file server for the static folder, as any host would serve it: below a folder, without special headers.
import { createServer } from 'node:http';
import { readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const BELOW = '/some/folder/';
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** Serves a folder on a free port; `packed` as a host that packs what it sends. */
export async function serve(folder, { packed = false } = {}) {
  const kept = new Map();
  const server = createServer((request, answer) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const name = normalize(path.startsWith(BELOW) ? path.slice(BELOW.length) || 'index.html' : '..');
    try {
      const file = join(folder, name);
      if (name.startsWith('..') || !statSync(file).isFile()) throw new Error('no file');
      const headers = { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'cache-control': 'max-age=600' };
      let bytes = readFileSync(file);
      if (packed) {
        if (!kept.has(name)) kept.set(name, gzipSync(bytes));
        bytes = kept.get(name);
        headers['content-encoding'] = 'gzip';
      }
      answer.writeHead(200, headers).end(bytes);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${server.address().port}${BELOW}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
