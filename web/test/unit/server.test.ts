import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ServerBackend } from '../../src/engine/server';

/** The other end of a connection, played by the test. */
class Socket {
  static all: Socket[] = [];
  sent: { id: number; call?: string; cancel?: number }[] = [];
  onopen = (): void => {};
  onclose = (): void => {};
  onmessage: (event: { data: string }) => void = () => {};
  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send(text: string): void {
    const message = JSON.parse(text) as Socket['sent'][number];
    this.sent.push(message);
    if (message.call === 'hello') this.say({ id: message.id, done: { complete: true } });
  }
  say(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
  close(): void {
    this.onclose();
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const input = { input: { text: 'f5' } };

beforeEach(() => {
  Socket.all = [];
  vi.stubGlobal('WebSocket', Socket);
});
afterEach(() => vi.unstubAllGlobals());

async function connected(): Promise<{ engine: ServerBackend; socket: Socket }> {
  const engine = new ServerBackend('ws://x', null);
  const [socket] = Socket.all;
  socket!.onopen();
  await settle();
  expect(engine.state.value).toBe('ready');
  return { engine, socket: socket! };
}

describe('the server', () => {
  test('events come in order, then the end', async () => {
    const { engine, socket } = await connected();
    const seen: unknown[] = [];
    const end = engine.call('show', input, (event) => seen.push(event));
    const { id } = socket.sent.at(-1)!;
    socket.say({ id, event: 1 });
    socket.say({ id, event: 2 });
    socket.say({ id, done: { complete: true } });
    socket.say({ id, event: 3 });
    expect(await end).toEqual({ complete: true });
    expect(seen).toEqual([1, 2]);
  });

  test('a cancel is sent, and its end says that it is not complete', async () => {
    const { engine, socket } = await connected();
    const stop = new AbortController();
    const end = engine.call('analyze', input, undefined, stop.signal);
    const { id } = socket.sent.at(-1)!;
    stop.abort();
    expect(socket.sent.at(-1)).toEqual({ cancel: id });
    socket.say({ id, done: { complete: false } });
    expect(await end).toEqual({ complete: false });
  });

  test('a search that a short call has ended is asked again, once', async () => {
    const { engine, socket } = await connected();
    const end = engine.call('play', input);
    const search = socket.sent.at(-1)!;
    const short = engine.call('show', input);
    const { id } = socket.sent.at(-1)!;
    socket.say({ id: search.id, done: { complete: false } });
    socket.say({ id, done: { complete: true } });
    await short;
    await settle();
    expect(socket.sent.at(-1)).toEqual(search);
    socket.say({ id: search.id, done: { complete: false } });
    expect(await end).toEqual({ complete: false });
  });

  test('after a lost connection what was not answered is asked again', async () => {
    vi.useFakeTimers();
    try {
      const engine = new ServerBackend('ws://x', null);
      Socket.all[0]!.onopen();
      await vi.advanceTimersByTimeAsync(0);
      const end = engine.call('analyze', input);
      const asked = Socket.all[0]!.sent.at(-1)!;
      Socket.all[0]!.close();
      expect(engine.state.value).toBe('reconnecting');
      await vi.advanceTimersByTimeAsync(1000);
      Socket.all[1]!.onopen();
      await vi.advanceTimersByTimeAsync(0);
      expect(Socket.all[1]!.sent.at(-1)).toEqual(asked);
      Socket.all[1]!.say({ id: asked.id, done: { complete: true } });
      expect(await end).toEqual({ complete: true });
    } finally {
      vi.useRealTimers();
    }
  });

  test('a page whose connection was lost says which session is its own', async () => {
    vi.useFakeTimers();
    try {
      const engine = new ServerBackend('ws://x', null);
      const first = Socket.all[0]!;
      first.send = (text) => {
        const { id } = JSON.parse(text) as { id: number };
        first.say({ id, event: { engine: 'Outflank', session: 'abc' } });
        first.say({ id, done: {} });
      };
      first.onopen();
      await vi.advanceTimersByTimeAsync(0);
      expect(engine.about.value?.session).toBe('abc');
      first.close();
      await vi.advanceTimersByTimeAsync(1000);
      Socket.all[1]!.onopen();
      await vi.advanceTimersByTimeAsync(0);
      expect(Socket.all[1]!.sent[0]).toMatchObject({ call: 'hello', session: 'abc' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('no more is sent than a server takes', async () => {
    vi.useFakeTimers();
    try {
      const engine = new ServerBackend('ws://x', null);
      const [socket] = Socket.all;
      socket!.onopen();
      await vi.advanceTimersByTimeAsync(0);
      for (let i = 0; i < 200; i += 1) void engine.call('show', input);
      expect(socket!.sent.length).toBeLessThanOrEqual(60);
      await vi.advanceTimersByTimeAsync(1000);
      expect(socket!.sent.length).toBeLessThanOrEqual(80);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(socket!.sent.length).toBe(201);
    } finally {
      vi.useRealTimers();
    }
  });

  test('an error of the engine rejects with its code', async () => {
    const { engine, socket } = await connected();
    const end = engine.call('show', input);
    socket.say({ id: socket.sent.at(-1)!.id, error: { code: 'bad-input', message: 'g7 flips nothing' } });
    await expect(end).rejects.toMatchObject({ code: 'bad-input', message: 'g7 flips nothing' });
  });
});
