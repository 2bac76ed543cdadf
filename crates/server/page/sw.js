// The offline worker; the build fills in the names. The shell is kept on installing, the engine when it is first used.
const VERSION = "168afcb40706";
const SHELL = ["./","./assets/announce-COrnB4Eb.js","./assets/backend-Dy4EZDug.js","./assets/explore-DeCAbGtw.js","./assets/gomoku-14UTR3hO.js","./assets/index-8g5v1D0Y.js","./assets/ja-CItTNPzr.js","./assets/keep-eNNBWp6r.js","./assets/library-9Wlsn0Bo.js","./assets/offline-DxpayTzE.js","./assets/puzzles-BIpfuM9O.js","./assets/rolldown-runtime-DK3Fl9T5.js","./assets/settings-CaerUFEH.js","./assets/solve-Kj7y9BiE.js","./assets/style-BZ2gJCvd.css","./assets/wasm-56fEjQD4.js","./assets/worker-B-2hlpx_.js","./icon.svg","./manifest.webmanifest"];
const KEEP = `outflank-${VERSION}`;
const ENGINE = 'outflank-engine';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(KEEP).then((cache) => cache.addAll(SHELL)));
});

self.addEventListener('activate', (event) => {
  const old = (name) => name.startsWith('outflank-') && name !== KEEP && name !== ENGINE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// A new version takes over when the user says so, never in the middle of a game.
self.addEventListener('message', (event) => {
  if (event.data === 'take over') self.skipWaiting();
});

/** Isolated pages may stop a search by a shared flag; hosts of static files cannot send these headers. Their workers need them, too. */
function isolated(answer) {
  const headers = new Headers(answer.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

async function engineFile(request) {
  const cache = await caches.open(ENGINE);
  // The list of the engine's files must be fresh where there is a connection; the files carry hashes.
  if (request.url.endsWith('engine.json')) {
    try {
      const fresh = await fetch(request);
      if (fresh.ok) await cache.put(request, fresh.clone());
      return fresh;
    } catch {
      return (await cache.match(request)) ?? Response.error();
    }
  }
  const kept = await cache.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  const scope = new URL('./', self.location.href);
  if (!url.pathname.startsWith(scope.pathname)) return;
  const name = url.pathname.slice(scope.pathname.length);
  if (request.mode === 'navigate' && (name === '' || name === 'index.html')) {
    event.respondWith(caches.match('./', { cacheName: KEEP }).then((kept) => (kept ? isolated(kept) : fetch(request))));
  } else if (name.startsWith('engine/')) event.respondWith(engineFile(request));
  else if (SHELL.includes(`./${name}`)) event.respondWith(caches.match(request, { cacheName: KEEP, ignoreSearch: true }).then((kept) => (kept ? isolated(kept) : fetch(request))));
});
