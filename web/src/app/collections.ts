// Game files that a person adds, for the counts of the openings screen: kept in this browser, and handed to the engine
// whenever it begins anew, since it remembers them for as long as it lives and no longer.
import { effect, signal, untracked } from '@preact/signals';
import type { BadGameObject, CollectionObject } from '../engine/messages';
import { about, ask, engineState, unknownCalls } from './engine';
import { store } from './keep';

/** A message has at most 1 MiB, and base64 makes four characters of three bytes. */
const PART = 700 * 1024;
export const MOST_BYTES = 64 << 20;
const PREFIX = 'file:';

export interface Progress {
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

export const own = signal<CollectionObject | null>(null);
export const served = signal<CollectionObject | null>(null);
export const progress = signal<Progress | null>(null);
export const trouble = signal('');
/** The first games of the last file that could not be read. */
export const bad = signal<readonly BadGameObject[]>([]);
/** Counts what changes the counts, so that who shows them asks again. */
export const changes = signal(0);

/** What this page has of each file, also where the browser keeps nothing. */
const files = new Map<string, Uint8Array<ArrayBuffer>>();
let stop: AbortController | null = null;

export const isNames = (name: string): boolean => /\.(jou|trn)$/i.test(name);

/** Without a detour over strings of characters of the alphabet: these are megabytes. */
export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

async function summary(collection: 'own' | 'server'): Promise<CollectionObject | null> {
  let found: CollectionObject | null = null;
  await ask('games', { collection }, (event) => {
    if ('collection' in event) found = event.collection;
  });
  return found;
}

async function send(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  progress.value = { name, done: 0, total: bytes.length };
  const found: BadGameObject[] = [];
  try {
    for (let at = 0; at < bytes.length && !signal.aborted; at += PART) {
      const more = at + PART < bytes.length;
      const add = { name, input: { base64: base64(bytes.subarray(at, at + PART)) }, ...(more && { more }) };
      await ask(
        'games',
        { add },
        (event) => {
          if ('collection' in event) own.value = event.collection;
          else if ('bad' in event) found.push(event.bad);
        },
        signal,
      );
      progress.value = { name, done: Math.min(bytes.length, at + PART), total: bytes.length };
    }
  } finally {
    progress.value = null;
    bad.value = found;
    changes.value += 1;
  }
}

export const stopAdding = (): void => stop?.abort();

/** Takes files in, those with names of players and tournaments first. */
export async function addFiles(list: readonly File[]): Promise<void> {
  trouble.value = '';
  const own = new AbortController();
  stop = own;
  const sorted = [...list].sort((a, b) => Number(isNames(b.name)) - Number(isNames(a.name)));
  for (const file of sorted) {
    if (own.signal.aborted) return;
    try {
      if (file.size > MOST_BYTES) throw new RangeError(`${file.name}: ${Math.ceil(file.size / (1 << 20))} MB > ${MOST_BYTES >> 20} MB`);
      const bytes = new Uint8Array(await file.arrayBuffer());
      await send(file.name, bytes, own.signal);
      if (own.signal.aborted) await forgetFile(file.name);
      else {
        files.set(file.name, bytes);
        await store.value?.write(PREFIX + file.name, bytes);
      }
    } catch (error) {
      trouble.value = `${file.name}: ${(error as Error).message}`;
      return;
    }
  }
}

export async function forgetFile(name: string): Promise<void> {
  files.delete(name);
  await store.value?.erase(PREFIX + name);
  try {
    await ask('games', { forget: [name] }, (event) => {
      if ('collection' in event) own.value = event.collection;
    });
  } catch (error) {
    trouble.value = (error as Error).message;
  }
  changes.value += 1;
}

/** Gives an engine that begins anew what it has to know. */
async function restore(): Promise<void> {
  try {
    served.value = await summary('server');
    own.value = await summary('own');
    for (const [key, bytes] of (await store.value?.entries<Uint8Array<ArrayBuffer>>(PREFIX)) ?? []) files.set(key.slice(PREFIX.length), bytes);
    const there = new Set(own.value?.sources.map((source) => source.name));
    const missing = [...files].filter(([name]) => !there.has(name)).sort(([a], [b]) => Number(isNames(b)) - Number(isNames(a)));
    // Names without games are of no use.
    if (missing.every(([name]) => isNames(name))) return;
    const controller = new AbortController();
    stop = controller;
    for (const [name, bytes] of missing) await send(name, bytes, controller.signal);
  } catch {
    // An engine without collections, or one that just went: the screen says what is missing.
  } finally {
    changes.value += 1;
  }
}

let started = false;

/** Begins with the first look at the openings screen: nobody else needs the files. */
export function startCollections(): void {
  if (started) return;
  started = true;
  let last: unknown = null;
  effect(() => {
    const engine = about.value;
    if (engineState.value !== 'ready' || !engine || engine === last || unknownCalls.value.has('games')) return;
    last = engine;
    untracked(() => void restore());
  });
}
