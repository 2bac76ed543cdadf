import { describe, expect, test } from 'vitest';
import * as clocks from '../../src/model/clock';

describe('clock', () => {
  test('time passes only for the side that runs, and the increment comes with the move', () => {
    let clock = clocks.start(clocks.newClock(60, 2), 'X', 1000);
    expect(clocks.left(clock, 'X', 11_000)).toBe(50);
    expect(clocks.left(clock, 'O', 11_000)).toBe(60);
    clock = clocks.press(clock, 11_000);
    expect(clocks.left(clock, 'X', 99_000)).toBe(52);
    expect(clocks.left(clock, 'O', 21_000)).toBe(50);
    clock = clocks.pause(clock, 21_000);
    expect(clocks.left(clock, 'O', 999_000)).toBe(50);
  });

  test('a page that slept finds the flag fallen, not stopped', () => {
    const clock = clocks.start(clocks.newClock(30, 0), 'O', 0);
    expect(clocks.flagged(clock, 29_000)).toBeNull();
    expect(clocks.flagged(clock, 3_600_000)).toBe('O');
    expect(clocks.left(clock, 'O', 3_600_000)).toBe(0);
  });

  test('reading and writing', () => {
    expect(clocks.parseClock('5:00+3')).toEqual({ seconds: 300, increment: 3 });
    expect(clocks.parseClock('90')).toEqual({ seconds: 90, increment: 0 });
    expect(clocks.parseClock('0:00')).toBeNull();
    expect(clocks.parseClock('soon')).toBeNull();
    expect(clocks.clockText(125)).toBe('2:05');
    expect(clocks.clockText(9.25)).toBe('9.3');
  });
});
