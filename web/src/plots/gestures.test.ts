import { describe, expect, test } from 'vitest';
import type { Range } from './axes';
import { clamped } from './gestures';

describe('clamped', () => {
  const ALL: Range = [0, 100];

  test('inside', () => {
    expect(clamped([20, 30], ALL)).toEqual([20, 30]);
  });

  test('moved back inside, with the same length', () => {
    expect(clamped([-10, 10], ALL)).toEqual([0, 20]);
    expect(clamped([95, 115], ALL)).toEqual([80, 100]);
    expect(clamped([-1e9, -1e9 + 10], ALL)).toEqual([0, 10]);
  });

  test.each([
    [0, 100],
    [-5, 200],
    [0, 99.995],
  ])('%f to %f is everything', (from, to) => {
    expect(clamped([from, to], ALL)).toBeNull();
  });

  test('not finer than floating point', () => {
    const [from, to] = clamped([50, 50], ALL) ?? [0, 0];
    expect(to - from).toBeGreaterThan(0);
    expect((from + to) / 2).toBeCloseTo(50);
    const now: Range = [1.7e9, 1.7e9 + 1];
    const [start, end] = clamped([1.7e9 + 0.5, 1.7e9 + 0.5], now) ?? [0, 0];
    expect(end).toBeGreaterThan(start);
  });

  test.each([
    [5, 5],
    [6, 5],
    [NaN, 5],
  ])('an extent of %f to %f has no parts', (first, last) => {
    expect(clamped([1, 2], [first, last])).toBeNull();
  });
});
