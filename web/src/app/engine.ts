// Which engine answers: the one behind the page if there is a server, else the one in the browser.
import { computed, signal } from '@preact/signals';
import { EngineError, type About, type Backend, type Done, type Event, type Request, type State } from '../engine/backend';
import type { CallName } from '../engine/messages';
import { ServerBackend } from '../engine/server';
import { t } from '../i18n';
import { toast } from './announce';
import { settings } from './settings';

export const backend = signal<Backend | null>(null);
export const engineState = computed<State>(() => backend.value?.state.value ?? 'starting');
export const about = computed<About | null>(() => backend.value?.about.value ?? null);
/** How many calls run; the stop button shows while there are any. */
export const running = signal(0);
/** Calls that this engine has said it does not know. */
export const unknownCalls = signal<ReadonlySet<string>>(new Set());

const stops = new Set<AbortController>();

function takeToken(): string | null {
  const found = /[#&?]token=([\w-]+)/.exec(location.hash);
  try {
    if (found) {
      sessionStorage.setItem('outflank.token', found[1]!);
      history.replaceState(null, '', location.pathname + location.search);
    }
    return found?.[1] ?? sessionStorage.getItem('outflank.token');
  } catch {
    return found?.[1] ?? null;
  }
}

function serverUrl(): string {
  const url = new URL('./ws', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  return url.href;
}

async function startWasm(): Promise<Backend | null> {
  const { WasmBackend, findEngine } = await import('../engine/wasm');
  const files = await findEngine();
  return files ? new WasmBackend(files, settings.value.tableMegabytes, () => toast(t('engine_restarted'))) : null;
}

const ALONE = 'outflank.alone';

/** Whether there was no server at the last visit: then the browser's engine starts while a server is looked for. */
function wasAlone(): boolean {
  try {
    return localStorage.getItem(ALONE) !== null;
  } catch {
    return false;
  }
}

function noteAlone(alone: boolean): void {
  try {
    if (alone) localStorage.setItem(ALONE, '1');
    else localStorage.removeItem(ALONE);
  } catch {
    // Then it starts a little later.
  }
}

export async function startEngine(): Promise<void> {
  const wish = settings.value.backend;
  const token = takeToken();
  backend.value?.close();
  if (wish === 'wasm') {
    const wasm = await startWasm();
    if (wasm) {
      backend.value = wasm;
      return;
    }
  }
  const early = wish !== 'server' && wasAlone() ? startWasm() : null;
  let server: ServerBackend | null = null;
  const there = await new Promise<boolean>((resolve) => {
    server = new ServerBackend(serverUrl(), token, resolve);
    if (wish === 'server') resolve(true);
  });
  if (!there) {
    const wasm = await (early ?? startWasm());
    if (wasm) {
      noteAlone(true);
      server!.close();
      backend.value = wasm;
      return;
    }
  }
  noteAlone(false);
  void early?.then((wasm) => wasm?.close());
  backend.value = server;
}

/** Asks the engine. Waits for it where it is still starting. */
export async function ask<K extends CallName>(kind: K, request: Request<K>, on?: (event: Event<K>) => void, stop?: AbortSignal): Promise<Done> {
  const engine = backend.value ?? (await started());
  const own = new AbortController();
  const relay = (): void => own.abort();
  stop?.addEventListener('abort', relay, { once: true });
  if (stop?.aborted) own.abort();
  stops.add(own);
  running.value += 1;
  try {
    return await engine.call(kind, request, on, own.signal);
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'unknown-call' || error.code === 'unsupported')) {
      unknownCalls.value = new Set([...unknownCalls.value, kind]);
    }
    throw error;
  } finally {
    running.value -= 1;
    stops.delete(own);
    stop?.removeEventListener('abort', relay);
  }
}

/** All events of a short call. */
export async function askAll<K extends CallName>(kind: K, request: Request<K>, stop?: AbortSignal): Promise<Event<K>[]> {
  const events: Event<K>[] = [];
  await ask(kind, request, (event) => events.push(event), stop);
  return events;
}

function started(): Promise<Backend> {
  return new Promise((resolve) => {
    const off = backend.subscribe((engine) => {
      if (!engine) return;
      resolve(engine);
      queueMicrotask(() => off());
    });
  });
}

export function stopAll(): void {
  for (const stop of stops) stop.abort();
}
