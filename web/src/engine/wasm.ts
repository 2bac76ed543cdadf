// The engine as WebAssembly, in a worker of its own. Stops by a shared flag where the page is isolated, between slices
// of a search elsewhere, and by ending the worker where neither answers in time.
import { signal } from '@preact/signals';
import { Waiting, type About, type Backend, type Done, type Event, type Message, type Request, type State } from './backend';
import type { CallName } from './messages';
import workerUrl from './worker?worker&url';

export interface EngineFiles {
  /** The module, relative to the page. */
  module: string;
}

const PATIENCE = 150;
/** Seconds without a word, while something is asked, after which a worker counts as dead. */
const SILENCE = 5;

type News = Message | { about: About } | { failed: string } | { alive: true } | { compiled: WebAssembly.Module };

/** What `cargo xtask web site` put beside the page; null where the page came without an engine. */
export async function findEngine(): Promise<EngineFiles | null> {
  try {
    const answer = await fetch('./engine/engine.json');
    return answer.ok ? ((await answer.json()) as EngineFiles) : null;
  } catch {
    return null;
  }
}

type Policy = { createScriptURL(url: string): string };
let policy: Policy | null = null;

/** Only our own worker files pass. */
export function trusted(url: string): string {
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes;
  const own = (wish: string): string => {
    const full = new URL(wish, document.baseURI);
    if (full.origin !== location.origin) throw new TypeError(`not a worker of this page: ${wish}`);
    return full.href;
  };
  policy ??= factory ? factory.createPolicy('outflank', { createScriptURL: own }) : { createScriptURL: own };
  return policy.createScriptURL(url);
}

export class WasmBackend implements Backend {
  readonly kind = 'wasm';
  readonly about = signal<About | null>(null);
  readonly state = signal<State>('starting');
  readonly trouble = signal('');
  private readonly waiting = new Waiting();
  private worker!: Worker;
  private readonly flag: Int32Array | null;
  /** So that a second worker need not compile again. */
  private compiled: WebAssembly.Module | null = null;
  private failures = 0;
  private foreground: number | null = null;
  private silent = 0;
  private readonly watch: ReturnType<typeof setInterval>;

  constructor(
    private readonly files: EngineFiles,
    private megabytes: number,
    /** Hears that the engine had to begin anew. */
    private readonly restarted: () => void = () => {},
  ) {
    this.flag = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.start();
    this.watch = setInterval(() => this.look(), 1000);
  }

  private start(): void {
    this.silent = 0;
    this.worker = new Worker(trusted(workerUrl), { type: 'module' });
    this.worker.onmessage = ({ data }) => this.take(data as News);
    this.worker.onerror = (event) => this.fail(event.message);
    this.worker.postMessage({ start: { ...this.files, base: document.baseURI, table_bytes: this.megabytes * 1_048_576, flag: this.flag, compiled: this.compiled } });
  }

  private take(message: News): void {
    this.silent = 0;
    if ('alive' in message) return;
    if ('compiled' in message) {
      this.compiled = message.compiled;
      return;
    }
    if ('about' in message) {
      this.about.value = message.about;
      this.state.value = 'ready';
    } else if ('failed' in message) this.fail(message.failed);
    else this.waiting.take(message);
  }

  /** Starts again with half the table, a few times; then says why there is no engine. */
  private fail(reason: string, askAgain = false): void {
    this.worker.terminate();
    if (!askAgain) this.waiting.failAll('engine-failed', reason);
    this.failures += 1;
    this.megabytes = Math.max(4, this.megabytes >> 1);
    if (this.failures > 3) {
      this.trouble.value = reason;
      this.state.value = 'failed';
      return;
    }
    this.state.value = 'starting';
    this.begin();
    this.restarted();
  }

  /** Starts a worker, and asks it what is still open. */
  private begin(): void {
    this.start();
    for (const text of this.waiting.texts()) this.worker.postMessage({ call: JSON.parse(text) as unknown });
  }

  /** Counts looks, not time: a page that slept has heard nothing either. */
  private look(): void {
    if (this.waiting.ids().length === 0 || this.state.value === 'failed') {
      this.silent = 0;
      return;
    }
    this.silent += 1;
    if (this.silent < SILENCE) {
      this.worker.postMessage({ ping: true });
      return;
    }
    // What was asked is asked again of another worker; should that one die, too, its callers hear of it.
    this.fail('the engine gave no sign of life', this.failures === 0);
  }

  async call<K extends CallName>(kind: K, request: Request<K>, on?: (event: Event<K>) => void, stop?: AbortSignal): Promise<Done> {
    if (stop?.aborted) return { complete: false };
    const search = kind === 'analyze' || kind === 'play';
    if (search && this.foreground !== null) this.cancel(this.foreground);
    const { id, text, end } = this.waiting.add(kind, request, on as never);
    if (search) this.foreground = id;
    this.worker.postMessage({ call: JSON.parse(text) as unknown });
    const cancel = (): void => this.cancel(id);
    stop?.addEventListener('abort', cancel, { once: true });
    try {
      return await end;
    } finally {
      if (this.foreground === id) this.foreground = null;
      stop?.removeEventListener('abort', cancel);
    }
  }

  private cancel(id: number): void {
    if (!this.waiting.isOpen(id)) return;
    if (this.flag) Atomics.store(this.flag, 0, id);
    this.worker.postMessage({ cancel: id });
    setTimeout(() => {
      if (!this.waiting.isOpen(id)) return;
      // A search that does not listen is ended with its worker; what else waited is asked again of the next one.
      this.worker.terminate();
      this.waiting.take({ id, done: { complete: false } });
      this.begin();
    }, PATIENCE);
  }

  close(): void {
    clearInterval(this.watch);
    this.worker.terminate();
    this.waiting.failAll('engine-failed', 'closed');
  }
}
