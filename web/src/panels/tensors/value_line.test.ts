import { describe, expect, test } from 'vitest';
import { axisOf } from './slices';
import { thinnedLine } from './value_line';

describe('thinnedLine', () => {
  test('few values as they are', () => {
    const line = { x: [0, 1, 2], low: [3, 1, 2], high: [3, 1, 2] };
    expect(thinnedLine([3, 1, 2], axisOf(':', 3), null)).toEqual(line);
  });

  test('places along the axis', () => {
    expect(thinnedLine([1, 2], axisOf('10:14:2', 20), null).x).toEqual([10, 12]);
    expect(thinnedLine([1, 2], axisOf('5:3:-1', 20), null).x).toEqual([5, 4]);
  });

  test('minimum and maximum of many', () => {
    const values = Float64Array.from({ length: 100_000 }, (_, i) => (i === 54_321 ? 9 : i % 2));
    const { x, low, high } = thinnedLine(values, axisOf(':', 100_000), null);
    expect(x.length).toBeLessThanOrEqual(2000);
    expect(Math.max(...high)).toBe(9);
    expect(new Set(low)).toEqual(new Set([0]));
  });

  test('finer within a range, with a point on each side', () => {
    const values = Float64Array.from({ length: 100_000 }, (_, i) => i);
    const { x } = thinnedLine(values, axisOf(':', 100_000), [50_000, 50_010]);
    expect([x[0], x.at(-1)]).toEqual([49_999, 50_011]);
    const back = thinnedLine(values, axisOf('::-1', 100_000), [50_000, 50_010]);
    expect([back.x[0], back.x.at(-1)]).toEqual([50_011, 49_999]);
  });

  test('NaN is skipped among others and kept alone', () => {
    const values = Array.from({ length: 4000 }, (_, i) => (i % 2 ? NaN : i));
    const { low, high } = thinnedLine(values, axisOf(':', 4000), null);
    expect(low.slice(0, 2)).toEqual([0, 2]);
    expect(high).not.toContain(NaN);
    expect(thinnedLine([NaN, 1], axisOf(':', 2), null).low).toEqual([NaN, 1]);
  });

  test('nothing', () => {
    expect(thinnedLine([], axisOf(':', 0), null)).toEqual({ x: [], low: [], high: [] });
    expect(thinnedLine([1], axisOf(':', 1), [50, 60]).x).toEqual([]);
  });
});
