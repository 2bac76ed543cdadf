// The library, and the game in progress, which is kept without being asked.
import { effect, signal, untracked } from '@preact/signals';
import { t } from '../i18n';
import { readLink, writeLink } from '../model/link';
import { result } from '../model/othello';
import { isOver } from '../model/rules';
import { Store, type GameRecord } from '../model/store';
import { countNodes, holds, mainFrom, mainLine, positionAt, type Tree } from '../model/tree';
import * as doc from './document';

export const store = signal<Store | null>(null);
export const storeMissing = signal(false);
export const games = signal<readonly GameRecord[]>([]);

export async function refresh(): Promise<void> {
  if (store.value) games.value = await store.value.games();
}

export function resultText(tree: Tree): string {
  const last = positionAt(tree, mainFrom(tree, []));
  if (!isOver(last)) return '';
  if (last.game === 'gomoku') return last.won === null ? '½–½' : last.won === 'X' ? '1–0' : '0–1';
  const margin = result(last);
  return `${(64 + margin) / 2}–${(64 - margin) / 2}`;
}

export async function save(tree: Tree, id: string | null, name: string, labels: readonly string[] = [], opening = ''): Promise<string> {
  const key = id ?? crypto.randomUUID();
  const old = id ? await store.value?.get(id) : undefined;
  await store.value?.put({
    id: key,
    game: tree.start.game,
    name: name || old?.name || defaultName(tree),
    labels: labels.length > 0 ? labels : (old?.labels ?? []),
    opening: opening || (old?.opening ?? ''),
    result: resultText(tree),
    moves: mainLine(tree).length,
    link: await writeLink({ screen: 'analyze', tree, path: mainFrom(tree, []) }),
    changed: Date.now(),
    binned: null,
  });
  await refresh();
  return key;
}

export function defaultName(tree: Tree): string {
  const { Black, White, Date: day } = tree.tags;
  if (Black || White) return `${Black ?? '?'} – ${White ?? '?'}${day ? `, ${day}` : ''}`;
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date());
}

/** Puts a game into the library, if there is anything to lose. */
async function keep(tree: Tree, record: string | null): Promise<void> {
  if (!store.value || countNodes(tree.root) < 3) return;
  const link = await writeLink({ screen: 'analyze', tree, path: mainFrom(tree, []) });
  if (games.value.some((each) => each.link === link && each.binned === null)) return;
  await save(tree, record, record ? '' : `${t('kept_name')} ${defaultName(tree)}`);
}

export const keepCurrent = (): Promise<void> => keep(doc.tree.value, doc.record.value);

/** What a tab has on its board; under a key of its own, so that two of them do not write over each other. */
interface Work {
  readonly link: string;
  readonly changed: number;
}

const WORK = 'work:';
/** The key that all tabs shared before each had its own. */
const OLD_WORK = 'current';
let tab = '';

/** Holds the lock of a tab as long as the page lives; says whether it was free. */
function hold(id: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(WORK + id, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? new Promise<void>((release) => window.addEventListener('pagehide', () => release(), { once: true })) : undefined;
    });
  });
}

/** The name of this tab, the same after a reload; a tab that was duplicated gets another one than its original. */
async function nameTab(): Promise<string> {
  let before: string | null = null;
  try {
    before = sessionStorage.getItem('outflank.tab');
  } catch {
    // Without it a reload begins as a new tab does.
  }
  if (before && (await hold(before))) return before;
  const id = crypto.randomUUID();
  await hold(id);
  try {
    sessionStorage.setItem('outflank.tab', id);
  } catch {
    // As above.
  }
  return id;
}

/** The work of tabs that are gone, newest first. */
async function leftBehind(opened: Store): Promise<[string, Work][]> {
  const held = navigator.locks ? new Set((await navigator.locks.query()).held?.map((lock) => lock.name)) : new Set<string>();
  const found = (await opened.entries<Work>(WORK)).filter(([key]) => key === WORK + tab || !held.has(key));
  const old = await opened.read<string>(OLD_WORK);
  if (old) found.push([OLD_WORK, { link: old, changed: 0 }]);
  return found.sort(([, a], [, b]) => b.changed - a.changed);
}

/**
 * What to go on with where no link says it: what this tab had before it was loaded again, else what the last tab left.
 * All other work that tabs left goes to the library.
 */
export async function takeUpWork(link: string | null): Promise<string | null> {
  const opened = store.value;
  if (!opened) return link;
  const left = await leftBehind(opened);
  const own = left.find(([key]) => key === WORK + tab) ?? left[0];
  const wanted = link ?? own?.[1].link ?? null;
  const next = wanted === null ? null : (await readLink(wanted)).tree;
  for (const [key, work] of left) {
    const { tree } = await readLink(work.link);
    if (tree && !(next && holds(next, tree))) await keep(tree, null);
    if (key !== WORK + tab) await opened.erase(key);
  }
  return wanted;
}

export async function startStore(): Promise<void> {
  const opened = await Store.open();
  store.value = opened;
  storeMissing.value = opened === null;
  if (!opened) return;
  tab = await nameTab();
  await opened.emptyBin(Date.now());
  await refresh();
}

/** From now on the game on the board is kept as it changes. */
export function keepWork(): void {
  const opened = store.value;
  if (!opened) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const tree = doc.tree.value;
    void doc.path.value;
    clearTimeout(timer);
    timer = setTimeout(() => {
      void untracked(async () => {
        const work: Work = { link: await writeLink({ screen: 'play', tree, path: doc.path.value }), changed: Date.now() };
        await opened.write(WORK + tab, work);
      });
    }, 500);
  });
}
