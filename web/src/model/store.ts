// What is kept in this browser: games, work in progress, drills. Works without storage, and then says so.
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

export interface GameRecord {
  readonly id: string;
  readonly game: 'othello' | 'gomoku';
  readonly name: string;
  readonly labels: readonly string[];
  readonly opening: string;
  readonly result: string;
  readonly moves: number;
  /** The game with everything in it, as its link. */
  readonly link: string;
  readonly changed: number;
  readonly binned: number | null;
}

export interface Drill {
  readonly id: string;
  readonly set: string;
  readonly cells: string;
  readonly side: 'X' | 'O';
  /** Values of the moves for the side to move. */
  readonly values: Readonly<Record<string, number>>;
  readonly best: readonly string[];
  readonly exact: boolean;
  /** Which box it lies in, and when it is due. */
  readonly box: number;
  readonly due: number;
}

interface Schema extends DBSchema {
  games: { key: string; value: GameRecord; indexes: { changed: number } };
  drills: { key: string; value: Drill };
  state: { key: string; value: unknown };
}

export const BIN_DAYS = 30;
const DAY = 86_400_000;
/** Days until a drill comes again, by box. */
export const BOXES = [1, 3, 7, 21, 60] as const;

export class Store {
  private constructor(private readonly db: IDBPDatabase<Schema>) {}

  static async open(name = 'outflank'): Promise<Store | null> {
    try {
      const db = await openDB<Schema>(name, 1, {
        upgrade(fresh) {
          fresh.createObjectStore('games', { keyPath: 'id' }).createIndex('changed', 'changed');
          fresh.createObjectStore('drills', { keyPath: 'id' });
          fresh.createObjectStore('state');
        },
      });
      return new Store(db);
    } catch {
      return null;
    }
  }

  /** Newest first. */
  async games(): Promise<GameRecord[]> {
    return (await this.db.getAllFromIndex('games', 'changed')).reverse();
  }

  put(record: GameRecord): Promise<unknown> {
    return this.db.put('games', record);
  }

  get(id: string): Promise<GameRecord | undefined> {
    return this.db.get('games', id);
  }

  remove(id: string): Promise<void> {
    return this.db.delete('games', id);
  }

  /** Games that have been in the bin for 30 days go. */
  async emptyBin(now: number): Promise<number> {
    const old = (await this.games()).filter((record) => record.binned !== null && now - record.binned > BIN_DAYS * DAY);
    for (const record of old) await this.remove(record.id);
    return old.length;
  }

  drills(): Promise<Drill[]> {
    return this.db.getAll('drills');
  }

  putDrill(drill: Drill): Promise<unknown> {
    return this.db.put('drills', drill);
  }

  read<T>(key: string): Promise<T | undefined> {
    return this.db.get('state', key) as Promise<T | undefined>;
  }

  write(key: string, value: unknown): Promise<unknown> {
    return this.db.put('state', value, key);
  }

  erase(key: string): Promise<void> {
    return this.db.delete('state', key);
  }

  /** What is kept under keys that begin so. */
  async entries<T>(prefix: string): Promise<[string, T][]> {
    const keys = await this.db.getAllKeys('state', IDBKeyRange.bound(prefix, `${prefix}\uffff`));
    return Promise.all(keys.map(async (key): Promise<[string, T]> => [key, (await this.read<T>(key))!]));
  }

  async exportAll(): Promise<{ outflank: 1; games: GameRecord[]; drills: Drill[] }> {
    return { outflank: 1, games: await this.games(), drills: await this.drills() };
  }

  /** Takes what another browser exported; returns how many games were new. */
  async importAll(data: unknown): Promise<number> {
    const { games, drills } = data as { games?: unknown; drills?: unknown };
    let added = 0;
    for (const record of Array.isArray(games) ? (games as Partial<GameRecord>[]) : []) {
      if (typeof record.id !== 'string' || typeof record.link !== 'string' || typeof record.name !== 'string') continue;
      if (!(await this.get(record.id))) added += 1;
      await this.put({
        id: record.id,
        game: record.game === 'gomoku' ? 'gomoku' : 'othello',
        name: record.name,
        labels: Array.isArray(record.labels) ? record.labels.map(String) : [],
        opening: String(record.opening ?? ''),
        result: String(record.result ?? ''),
        moves: Number(record.moves) || 0,
        link: record.link,
        changed: Number(record.changed) || 0,
        binned: typeof record.binned === 'number' ? record.binned : null,
      });
    }
    for (const drill of Array.isArray(drills) ? (drills as Drill[]) : []) {
      if (typeof drill.id === 'string' && typeof drill.cells === 'string' && drill.cells.length === 64) await this.putDrill(drill);
    }
    return added;
  }

  async clear(): Promise<void> {
    await Promise.all([this.db.clear('games'), this.db.clear('drills'), this.db.clear('state')]);
  }

  close(): void {
    this.db.close();
  }
}

/** Where a drill goes after an answer: up a box where it was right, to the first where it was not. */
export function answered(drill: Drill, right: boolean, now: number): Drill {
  const box = right ? Math.min(drill.box + 1, BOXES.length) : 0;
  const days = BOXES[Math.max(0, box - 1)]!;
  return { ...drill, box, due: right ? now + days * DAY : now };
}
