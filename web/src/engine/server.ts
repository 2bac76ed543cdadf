// The engine behind a WebSocket: reconnects by itself and asks again what was not answered.
import { signal } from '@preact/signals';
import { Waiting, type About, type Backend, type Done, type Event, type Message, type Request, type State } from './backend';
import type { CallName } from './messages';

const MOST_WAIT = 30_000;
/** A server takes 60 messages at once and 20 a second, and answers none beyond; who steps fast through a game asks more. */
const AT_ONCE = 50;
const A_SECOND = 18;
export const PROTOCOL = 1;

export class ServerBackend implements Backend {
  readonly kind = 'server';
  readonly about = signal<About | null>(null);
  readonly state = signal<State>('starting');
  readonly trouble = signal('');
  private readonly waiting = new Waiting();
  /** The search that runs, and whether a short call may have ended it. */
  private search: { id: number; text: string; disturbed: boolean; held: boolean } | null = null;
  private short = 0;
  private socket: WebSocket | null = null;
  private wait = 1000;
  private closed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly queue: string[] = [];
  private pacing: ReturnType<typeof setTimeout> | undefined;
  private allowed = AT_ONCE;
  private counted = 0;

  /** `first` hears once whether there is a server at all. */
  constructor(
    private readonly url: string,
    private readonly token: string | null,
    private first: ((there: boolean) => void) | null = null,
  ) {
    this.connect();
  }

  private connect(): void {
    let opened = false;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      opened = true;
      void this.greet(socket);
    };
    socket.onmessage = ({ data }) => {
      try {
        this.take(JSON.parse(data as string) as Message);
      } catch (error) {
        console.error('unreadable message from the engine', error);
      }
    };
    socket.onclose = () => {
      // What waits here is asked again of the next connection, with all that has no answer.
      this.queue.length = 0;
      this.first?.(opened);
      this.first = null;
      if (this.closed || this.state.value === 'failed') return;
      this.state.value = 'reconnecting';
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, MOST_WAIT);
    };
  }

  /** A server may end a search for a short call that comes after it; such a search is asked again when that is answered. */
  private take(message: Message): void {
    const { search } = this;
    if (search?.id === message.id && search.disturbed && 'done' in message && message.done.complete === false) {
      search.held = true;
      this.again();
    } else this.waiting.take(message);
  }

  private again(): void {
    const { search } = this;
    if (!search?.held || this.short > 0) return;
    search.held = false;
    search.disturbed = false;
    if (this.state.value === 'ready') this.send(search.text);
  }

  /** Sends a message as soon as it may be sent; what has waited is sent first. */
  private send(text: string): void {
    this.queue.push(text);
    this.flush();
  }

  private flush(): void {
    const now = performance.now();
    this.allowed = Math.min(AT_ONCE, this.allowed + ((now - this.counted) / 1000) * A_SECOND);
    this.counted = now;
    while (this.queue.length > 0 && this.allowed >= 1) {
      this.allowed -= 1;
      this.socket?.send(this.queue.shift()!);
    }
    clearTimeout(this.pacing);
    if (this.queue.length > 0) this.pacing = setTimeout(() => this.flush(), 1000 / A_SECOND);
  }

  private async greet(socket: WebSocket): Promise<void> {
    const open = this.waiting.texts();
    // The word by which the server knows this page again: it goes on with its tables and games.
    const session = this.about.value?.session;
    const hello = this.waiting.add('hello', { protocol: PROTOCOL, ...(this.token && { token: this.token }), ...(session && { session }) }, (about: About) => {
      this.about.value = about;
    });
    socket.send(hello.text);
    try {
      await hello.end;
    } catch (error) {
      this.trouble.value = (error as Error).message;
      this.state.value = 'failed';
      this.waiting.failAll('unauthorized', this.trouble.value);
      this.first?.(true);
      this.first = null;
      return;
    }
    this.wait = 1000;
    this.state.value = 'ready';
    this.first?.(true);
    this.first = null;
    this.allowed = AT_ONCE;
    for (const text of open) this.send(text);
  }

  async call<K extends CallName>(kind: K, request: Request<K>, on?: (event: Event<K>) => void, stop?: AbortSignal): Promise<Done> {
    if (stop?.aborted) return { complete: false };
    const { id, text, end } = this.waiting.add(kind, request, on as never);
    const search = kind === 'analyze' || kind === 'play';
    const short = !search && kind !== 'review' && kind !== 'solve';
    if (search) {
      // The one before it is ended by this one.
      if (this.search?.held) this.waiting.take({ id: this.search.id, done: { complete: false } });
      else if (this.search) this.search.disturbed = false;
      this.search = { id, text, disturbed: false, held: false };
    } else if (short) {
      this.short += 1;
      if (this.search) this.search.disturbed = true;
    }
    if (this.state.value === 'ready') this.send(text);
    const cancel = (): void => {
      const held = this.search?.id === id && this.search.held;
      if (this.search?.id === id) this.search.disturbed = false;
      // Without a connection, or with nothing running, nobody would answer the wish to stop.
      if (this.state.value === 'ready' && !held) this.send(JSON.stringify({ cancel: id }));
      else this.waiting.take({ id, done: { complete: false } });
    };
    stop?.addEventListener('abort', cancel, { once: true });
    try {
      return await end;
    } finally {
      stop?.removeEventListener('abort', cancel);
      if (this.search?.id === id) this.search = null;
      if (short) {
        this.short -= 1;
        this.again();
      }
    }
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.pacing);
    this.socket?.close();
    this.waiting.failAll('engine-failed', 'closed');
  }
}
