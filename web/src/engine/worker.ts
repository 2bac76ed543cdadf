// Owns the WebAssembly module: JSON in, JSON out, searches in slices so that a wish to stop is heard between them.

interface Exports {
  memory: WebAssembly.Memory;
  /** Makes the engine anew, with tables of that many bytes. */
  'new': (tableBytes: number) => number;
  alloc(len: number): number;
  free(ptr: number, len: number): void;
  call(ptr: number, len: number): void;
}

interface Start {
  module: string;
  base: string;
  table_bytes: number;
  flag: Int32Array | null;
  compiled: WebAssembly.Module | null;
}

interface Call {
  id: number;
  call: string;
  game?: string;
  limits?: { seconds?: number | null; level?: number | null; depth?: number | null; nodes?: number | null };
  [field: string]: unknown;
}

const SLICES = [0.12, 0.24, 0.48, 1, 2, 4];

let start: Start;
let engine: Promise<Exports>;
const canceled = new Set<number>();
const queue: Call[] = [];
let busy = false;
let current = 0;
/** When the page last heard that this worker lives. */
let told = 0;
let filter: ((message: Record<string, unknown>) => void) | null = null;

const post = (message: unknown): void => (self as unknown as Worker).postMessage(message);

function stopWanted(): boolean {
  return start.flag !== null && Atomics.load(start.flag, 0) === current && current !== 0;
}

async function load(): Promise<Exports> {
  const module = start.compiled ?? (await WebAssembly.compileStreaming(fetch(new URL(start.module, start.base))));
  if (!start.compiled) post({ compiled: module });
  let exports: Exports;
  const functions: Record<string, (a: number, b: number) => number | void> = {
    emit: (ptr, len) => {
      const text = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, ptr, len).slice());
      const message = JSON.parse(text) as Record<string, unknown>;
      // A panic belongs to no call; nothing of the module can be trusted after it.
      if (message.id === null && message.error) post({ failed: (message.error as { message: string }).message });
      else if (filter) filter(message);
      else post(message);
    },
    // The engine asks for the time as it searches: a time after every deadline ends it.
    now: () => {
      const time = performance.now();
      if (time - told > 1000) {
        told = time;
        post({ alive: true });
      }
      return stopWanted() ? Number.POSITIVE_INFINITY : time;
    },
  };
  const imports: WebAssembly.Imports = {};
  for (const { module: from, name: what } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[what] = functions[what] ?? (() => 0);
  }
  exports = (await WebAssembly.instantiate(module, imports)).exports as unknown as Exports;
  exports.new(start.table_bytes);
  return exports;
}

function send(exports: Exports, message: unknown): void {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  const ptr = exports.alloc(bytes.length);
  new Uint8Array(exports.memory.buffer, ptr, bytes.length).set(bytes);
  exports.call(ptr, bytes.length);
  exports.free(ptr, bytes.length);
}

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    // Messages that wait are heard before this one.
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(0);
  });

/** Searches a while, listens, and goes on with the table as it is. */
async function sliced(exports: Exports, call: Call): Promise<void> {
  const wanted = call.limits?.seconds ?? Number.POSITIVE_INFINITY;
  const begun = performance.now();
  let last: unknown = null;
  for (let i = 0; ; i += 1) {
    const left = wanted - (performance.now() - begun) / 1000;
    const seconds = Math.max(0.01, Math.min(SLICES[Math.min(i, SLICES.length - 1)]!, left));
    let complete = true;
    filter = (message) => {
      const event = message.event as { progress?: unknown; complete?: boolean } | undefined;
      if (event && !('progress' in event) && event.complete !== undefined) last = event;
      else if ('done' in message) complete = (message.done as { complete?: boolean }).complete !== false;
      else post(message);
      if ('error' in message) last = 'error';
    };
    send(exports, { ...call, limits: { ...call.limits, seconds } });
    filter = null;
    if (last === 'error') return;
    const result = last as { complete?: boolean } | null;
    complete &&= result?.complete !== false;
    await pause();
    const stopped = canceled.has(call.id) || stopWanted();
    if (complete || stopped || left <= seconds) {
      if (result) post({ id: call.id, event: result });
      post({ id: call.id, done: { complete: complete && !stopped } });
      return;
    }
    // The table holds what the slices found, so each begins where the one before it ended.
    if (result) post({ id: call.id, event: { ...result, complete: false } });
  }
}

/** The first search unpacks the weights; better now than when somebody waits. */
function warm(exports: Exports): void {
  if (busy) return;
  filter = () => {};
  send(exports, { id: 0, call: 'analyze', input: { text: 'f5' }, lines: 1, limits: { depth: 1 } });
  filter = null;
}

/** Whether somebody may want to stop it. A move is then asked for as an analysis, which has an answer after every slice. */
function isLong({ call, limits }: Call): boolean {
  if (call === 'analyze') return !limits?.level && !limits?.depth && !limits?.nodes;
  return call === 'play' && ((limits?.level ?? 0) > 16 || (limits?.seconds ?? 0) > 0.5);
}

async function work(): Promise<void> {
  if (busy) return;
  busy = true;
  for (let call = queue.shift(); call; call = queue.shift()) {
    if (canceled.delete(call.id)) {
      post({ id: call.id, done: { complete: false } });
      continue;
    }
    current = call.id;
    try {
      const exports = await engine;
      if (!start.flag && isLong(call)) await sliced(exports, call.call === 'play' ? { ...call, call: 'analyze', lines: 1 } : call);
      else send(exports, call);
    } catch (error) {
      post({ failed: String(error) });
    }
    canceled.delete(call.id);
    current = 0;
    await pause();
  }
  busy = false;
}

self.onmessage = ({ data }: MessageEvent<{ start?: Start; call?: Call; cancel?: number; ping?: boolean }>) => {
  if (data.ping) post({ alive: true });
  if (data.start) {
    start = data.start;
    engine = load();
    engine.then(
      (exports) => {
        filter = (message) => {
          if (message.event) post({ about: message.event });
        };
        send(exports, { id: 0, call: 'hello', protocol: 1 });
        filter = null;
        setTimeout(() => warm(exports), 100);
      },
      (error: unknown) => post({ failed: String(error) }),
    );
  }
  if (data.call) {
    queue.push(data.call);
    void work();
  }
  if (data.cancel) canceled.add(data.cancel);
};
