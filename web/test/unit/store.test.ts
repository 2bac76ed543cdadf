import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test } from 'vitest';
import { answered, BIN_DAYS, Store, type Drill, type GameRecord } from '../../src/model/store';

const record = (id: string, changed: number, binned: number | null = null): GameRecord => ({
  id,
  game: 'othello',
  name: id,
  labels: [],
  opening: '',
  result: '',
  moves: 3,
  link: '#/analyze/f5d6c3',
  changed,
  binned,
});
const drill: Drill = { id: 'd', set: 'own', cells: '-'.repeat(64), side: 'X', values: { f5: 2 }, best: ['f5'], exact: true, box: 0, due: 0 };
let n = 0;
let store: Store;

beforeEach(async () => {
  store = (await Store.open(`test-${(n += 1)}`))!;
});

describe('what is kept', () => {
  test('the newest game stands first, and the bin is emptied after 30 days', async () => {
    const day = 86_400_000;
    await store.put(record('old', 1));
    await store.put(record('new', 3));
    await store.put(record('middle', 2, 0));
    expect((await store.games()).map(({ id }) => id)).toEqual(['new', 'middle', 'old']);
    expect(await store.emptyBin(BIN_DAYS * day)).toBe(0);
    expect(await store.emptyBin((BIN_DAYS + 1) * day)).toBe(1);
    expect((await store.games()).map(({ id }) => id)).toEqual(['new', 'old']);
  });

  test('what is kept under a beginning of keys is found, and erased', async () => {
    await store.write('file:b', new Uint8Array([2]));
    await store.write('file:a', new Uint8Array([1]));
    await store.write('current', 'x');
    expect(await store.entries<Uint8Array>('file:')).toEqual([['file:a', new Uint8Array([1])], ['file:b', new Uint8Array([2])]]);
    await store.erase('file:a');
    expect((await store.entries('file:')).map(([key]) => key)).toEqual(['file:b']);
  });

  test('an export is read again, and rubbish adds nothing', async () => {
    await store.put(record('a', 1));
    await store.putDrill(drill);
    const all = JSON.parse(JSON.stringify(await store.exportAll())) as unknown;
    const other = (await Store.open('other'))!;
    expect(await other.importAll(all)).toBe(1);
    expect(await other.importAll(all)).toBe(0);
    expect(await other.drills()).toEqual([drill]);
    expect(await other.importAll({ games: [{ id: 7 }, null, 'x'].filter(Boolean), drills: 3 })).toBe(0);
  });

  test('a drill climbs a box when it is right, and falls to the first when it is not', () => {
    const day = 86_400_000;
    let now = answered(drill, true, 0);
    expect(now).toMatchObject({ box: 1, due: day });
    for (const days of [3, 7, 21, 60, 60]) {
      now = answered(now, true, 0);
      expect(now.due).toBe(days * day);
    }
    expect(answered(now, false, 5)).toMatchObject({ box: 0, due: 5 });
  });
});
