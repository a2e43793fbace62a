import { describe, expect, test } from 'vitest';
import type { PlotSeries } from './series_points';
import { places } from './series_table';

const at = (x: ArrayLike<number>): PlotSeries => ({ name: '', x, low: x, high: x });

describe('places', () => {
  test('every x in the window, once and in order', () => {
    expect(places([at([1, 3, 5]), at([2, 3, 4])], [1, 4])).toEqual([1, 2, 3, 4]);
  });

  test('both ends belong to the window', () => {
    expect(places([at([0, 1, 2, 3])], [1, 2])).toEqual([1, 2]);
    expect(places([at([0, 0.1 + 0.2, 1])], [0, 0.1 + 0.2])).toEqual([0, 0.1 + 0.2]);
  });

  test('nothing', () => {
    expect(places([], [0, 1])).toEqual([]);
    expect(places([at([])], [0, 1])).toEqual([]);
    expect(places([at([5])], [0, 1])).toEqual([]);
  });

  test('an even sample of many', () => {
    const many = Float64Array.from({ length: 100_000 }, (_, i) => i);
    const found = places([at(many), at(many.map((x) => x + 0.5))], [0, 100_000]);
    expect(found.length).toBeGreaterThan(100);
    expect(found.length).toBeLessThanOrEqual(200);
    expect(found).toEqual([...found].sort((a, b) => a - b));
  });
});
