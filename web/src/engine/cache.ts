// What is known of positions: a proven value never gives way to a guess, nor a deep one to a shallow one, so that
// values stand still while one walks back and forth.
import { compare, rank, type Worth } from '../model/worth';

export interface Line extends Worth {
  readonly move: number;
  readonly pv: readonly string[];
}

export interface Known {
  readonly lines: readonly Line[];
  readonly nodes: number;
  readonly seconds: number;
}

const MOST = 20_000;

export class Cache {
  private readonly known = new Map<string, Known>();

  get(key: string): Known | undefined {
    const found = this.known.get(key);
    if (found) {
      // The oldest is the first of the map.
      this.known.delete(key);
      this.known.set(key, found);
    }
    return found;
  }

  add(key: string, lines: readonly Line[], nodes = 0, seconds = 0): Known {
    const old = this.get(key);
    const best = new Map<number, Line>();
    for (const line of [...(old?.lines ?? []), ...lines]) {
      const other = best.get(line.move);
      if (!other || rank(line) >= rank(other)) best.set(line.move, line);
    }
    const merged = {
      lines: [...best.values()].sort(compare),
      nodes: Math.max(nodes, old?.nodes ?? 0),
      seconds: Math.max(seconds, old?.seconds ?? 0),
    };
    this.known.set(key, merged);
    if (this.known.size > MOST) this.known.delete(this.known.keys().next().value!);
    return merged;
  }

  clear(): void {
    this.known.clear();
  }
}
