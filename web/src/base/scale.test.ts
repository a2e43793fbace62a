import { describe, expect, test } from 'vitest';
import { linear, ticks, timeTicks } from './scale';

describe('linear', () => {
  test('maps the ends, also backward', () => {
    const down = linear(0, 10, 200, 100);
    expect([0, 5, 10].map(down)).toEqual([200, 150, 100]);
    expect(down.invert(150)).toBe(5);
  });

  test('far outside values stay drawable', () => {
    const scale = linear(0, 1, 0, 100);
    expect(scale(1e300)).toBe(1e6);
    expect(scale(-Infinity)).toBe(-1e6);
    expect(scale(NaN)).toBeNaN();
  });

  test('an empty range has a place', () => {
    const scale = linear(5, 5, 10, 20);
    expect(scale(5)).toBe(10);
    expect(linear(0, 1, 10, 10).invert(10)).toBe(0);
  });
});

describe('ticks', () => {
  test.each([
    [0, 10, 5, [0, 2, 4, 6, 8, 10]],
    [0, 1, 4, [0, 0.25, 0.5, 0.75, 1]],
    [-1, 1, 4, [-1, -0.5, 0, 0.5, 1]],
    [3, 97, 4, [25, 50, 75]],
    [0.2, 0.8, 1, [1].slice(1)],
    [-1000, 0, 2, [-1000, -500, 0]],
  ])('%f to %f', (from, to, count, expected) => {
    expect(ticks(from, to, count)).toEqual(expected);
  });

  test('zero has no sign', () => {
    expect(ticks(-0.4, 0.4, 2).map((value) => Object.is(value, -0))).not.toContain(true);
  });

  test.each([
    [5, 5],
    [6, 5],
    [NaN, 1],
    [0, NaN],
    [0, Infinity],
    [-1e308, 1e308],
  ])('%f to %f has none', (from, to) => {
    expect(ticks(from, to, 5)).toEqual([]);
  });

  test('a count below one is one', () => {
    expect(ticks(0, 10, 0)).toEqual([0, 10]);
    expect(ticks(0, 10, -3)).toEqual([0, 10]);
  });

  test('tiny and huge ranges', () => {
    expect(ticks(0, 1e-300, 2)).toEqual([0, 5e-301, 1e-300]);
    expect(ticks(0, 1e300, 2)).toHaveLength(3);
  });

  test('no tick is repeated where floating point has no finer numbers', () => {
    const found = ticks(1, 1 + 4 * Number.EPSILON, 20);
    expect(found).toEqual([...new Set(found)]);
    expect(found.length).toBeGreaterThan(0);
  });

  test('never more than a hundred', () => {
    expect(ticks(0, 1, 1e6).length).toBeLessThanOrEqual(100);
  });
});

describe('timeTicks', () => {
  test.each([
    [0, 60, 4, [0, 15, 30, 45, 60]],
    [0, 3600, 4, [0, 900, 1800, 2700, 3600]],
    [0, 86400, 4, [0, 21600, 43200, 64800, 86400]],
    [0, 10 * 86400, 3, [0, 4 * 86400, 8 * 86400]],
    [0, 1, 2, [0, 0.5, 1]],
  ])('%f to %f seconds', (from, to, count, expected) => {
    expect(timeTicks(from, to, count)).toEqual(expected);
  });

  test('round times, not multiples of the start', () => {
    expect(timeTicks(1700000007, 1700000067, 4)).toEqual([
      1700000010, 1700000025, 1700000040, 1700000055,
    ]);
  });

  test.each([NaN, Infinity])('%f has none', (to) => {
    expect(timeTicks(0, to, 5)).toEqual([]);
  });
});
