import { describe, expect, test } from 'vitest';
import { Cache, type Line } from '../../src/engine/cache';
import { signed } from '../../src/i18n';
import { en } from '../../src/i18n/en';
import ja from '../../src/i18n/ja.json';
import { inWords, onSquare } from '../../src/model/worth';

const holes = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort();

describe('words', () => {
  test('Japanese has every key, no other, and the same holes', () => {
    expect(Object.keys(ja).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(ja)) expect(holes(text), key).toEqual(holes(en[key as keyof typeof en]));
  });

  test('values on squares and in words', () => {
    expect(onSquare({ value: 4, kind: 'exact', depth: 10 }, 'othello')).toBe('+4');
    expect(onSquare({ value: -0.3, kind: 'estimate', depth: 10 }, 'othello')).toBe('≈0');
    expect(onSquare({ value: -3.6, kind: 'estimate', depth: 10 }, 'othello')).toBe('≈−4');
    expect(onSquare({ value: 2, kind: 'wld', depth: 10 }, 'othello')).toBe('W');
    expect(onSquare({ value: 2, kind: 'bounds', depth: 10 }, 'othello')).toBe('≥+2');
    expect(onSquare({ value: 100, kind: 'win', depth: 3, stones: 7 }, 'gomoku')).toBe('W7');
    expect(inWords({ value: 4, kind: 'exact', depth: 10 }, 'othello')).toBe('plus 4, exact');
    expect(inWords({ value: 3.7, kind: 'estimate', depth: 14, confidence: 73 }, 'othello')).toBe('about plus 4, 14 discs ahead, 73 percent');
    expect(signed(-0.04, 1)).toBe('0.0');
  });

  test('a proven value never gives way to a guess, nor a deep one to a shallow one', () => {
    const cache = new Cache();
    const line = (kind: Line['kind'], value: number, depth: number): Line => ({ move: 1, pv: [], kind, value, depth });
    cache.add('a', [line('estimate', 3, 12)]);
    cache.add('a', [line('estimate', 9, 4)]);
    expect(cache.get('a')?.lines[0]?.value).toBe(3);
    cache.add('a', [line('exact', 2, 8)]);
    cache.add('a', [line('estimate', 5, 30)]);
    expect(cache.get('a')?.lines[0]).toMatchObject({ value: 2, kind: 'exact' });
  });
});
