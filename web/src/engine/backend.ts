// What the page asks of an engine, wherever that runs.
import type { Signal } from '@preact/signals';
import type { Calls, CallName } from './messages';

export interface About {
  engine: string;
  version: string;
  protocol: number;
  kind: 'server' | 'wasm';
  weights?: string | null;
  threads?: number;
  table_bytes?: number;
  limits?: { seconds?: number | null; level?: number | null; positions?: number | null };
  /** By what a server knows the page again after a lost connection. */
  session?: string;
  /** Names of calls beyond the first nine, where the engine says so. */
  calls?: string[];
}

export type State = 'starting' | 'ready' | 'reconnecting' | 'failed';
export type Request<K extends CallName> = Calls[K]['request'];
export type Event<K extends CallName> = Calls[K]['event'];

export interface Backend {
  readonly kind: 'server' | 'wasm';
  readonly about: Signal<About | null>;
  readonly state: Signal<State>;
  /** Why it failed, for people. */
  readonly trouble: Signal<string>;
  /**
   * Resolves when the call has ended, also when `signal` ended it: then with `complete: false`.
   * Rejects with an `EngineError` only.
   */
  call<K extends CallName>(kind: K, request: Request<K>, on?: (event: Event<K>) => void, signal?: AbortSignal): Promise<Done>;
  close(): void;
}

export interface Done {
  complete: boolean;
}

export class EngineError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly place?: { line?: number; column?: number; hint?: string },
  ) {
    super(message);
  }
}

export type Message =
  | { id: number; event: unknown }
  | { id: number; done: { complete?: boolean } }
  | { id: number; error: { code: string; message: string; line?: number; column?: number; hint?: string } };

interface Open {
  text: string;
  on: ((event: never) => void) | undefined;
  resolve: (done: Done) => void;
  reject: (error: Error) => void;
}

/** The calls that wait for their end, for every way of carrying messages. */
export class Waiting {
  private next = 1;
  private readonly open = new Map<number, Open>();

  add(call: string, fields: object, on: ((event: never) => void) | undefined): { id: number; text: string; end: Promise<Done> } {
    const id = this.next++;
    const text = JSON.stringify({ id, call, ...fields });
    const end = new Promise<Done>((resolve, reject) => this.open.set(id, { text, on, resolve, reject }));
    return { id, text, end };
  }

  take(message: Message): void {
    const open = this.open.get(message.id);
    if (!open) return;
    if ('event' in message) {
      open.on?.(message.event as never);
      return;
    }
    this.open.delete(message.id);
    if ('done' in message) open.resolve({ complete: message.done.complete ?? true });
    else open.reject(new EngineError(message.error.code, message.error.message, message.error));
  }

  isOpen = (id: number): boolean => this.open.has(id);
  texts = (): string[] => [...this.open.values()].map((open) => open.text);
  ids = (): number[] => [...this.open.keys()];

  failAll(code: string, message: string): void {
    for (const id of this.ids()) this.take({ id, error: { code, message } });
  }
}
