// The library, and the game in progress, which is kept without being asked.
import { effect, signal, untracked } from '@preact/signals';
import { t } from '../i18n';
import { writeLink } from '../model/link';
import { result } from '../model/othello';
import { isOver } from '../model/rules';
import { Store, type GameRecord } from '../model/store';
import { countNodes, mainFrom, mainLine, positionAt, type Tree } from '../model/tree';
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

/** Puts the game on the board into the library, if there is anything to lose. */
export async function keepCurrent(): Promise<void> {
  const tree = doc.tree.value;
  if (!store.value || countNodes(tree.root) < 3) return;
  const link = await writeLink({ screen: 'analyze', tree, path: mainFrom(tree, []) });
  if (games.value.some((record) => record.link === link && record.binned === null)) return;
  await save(tree, doc.record.value, doc.record.value ? '' : `${t('kept_name')} ${defaultName(tree)}`);
}

export async function startStore(): Promise<void> {
  const opened = await Store.open();
  store.value = opened;
  storeMissing.value = opened === null;
  if (!opened) return;
  await opened.emptyBin(Date.now());
  await refresh();
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const tree = doc.tree.value;
    void doc.path.value;
    clearTimeout(timer);
    timer = setTimeout(() => {
      void untracked(async () => {
        await opened.write('current', await writeLink({ screen: 'play', tree, path: doc.path.value }));
      });
    }, 500);
  });
}

export const lastWork = (): Promise<string | undefined> => store.value?.read<string>('current') ?? Promise.resolve(undefined);
