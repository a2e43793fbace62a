import { describe, expect, test } from 'vitest';
import {
  bounds,
  lowerBound,
  middle,
  nearest,
  nextX,
  type PlotSeries,
  within,
} from './series_points';

const seriesOf = (x: number[], low: number[], high = low): PlotSeries => ({
  name: 's',
  x,
  low,
  high,
});
const at = (...x: number[]): PlotSeries => seriesOf(x, x);

describe('lowerBound', () => {
  test.each([
    [[], 5, 0],
    [[1], 0, 0],
    [[1], 1, 0],
    [[1], 2, 1],
    [[1, 3, 3, 3, 5], 3, 1],
    [[1, 3, 5], 4, 2],
    [[1, 3, 5], -Infinity, 0],
    [[1, 3, 5], Infinity, 3],
  ])('%j, %f: %i', (x, value, index) => {
    expect(lowerBound(x, value)).toBe(index);
  });
});

describe('within', () => {
  test.each([
    [
      [2, 4],
      [1, 6],
    ],
    [
      [2.5, 2.6],
      [2, 5],
    ],
    [
      [-5, -1],
      [0, 2],
    ],
    [
      [9, 10],
      [5, 6],
    ],
    [
      [0, 5],
      [0, 6],
    ],
  ] as [[number, number], [number, number]][])(
    'window %j has one point more on each side',
    (window, points) => {
      expect(within(at(0, 1, 2, 3, 4, 5), window)).toEqual(points);
    },
  );

  test('nothing', () => {
    expect(within(at(), [0, 1])).toEqual([0, 0]);
  });
});

describe('nearest', () => {
  test.each([
    [[0, 10], -5, 0],
    [[0, 10], 4, 0],
    [[0, 10], 5, 0],
    [[0, 10], 6, 1],
    [[0, 10], 99, 1],
    [[7], 100, 0],
    [[], 1, -1],
  ])('%j, %f: %i', (x, value, index) => {
    expect(nearest(at(...x), value)).toBe(index);
  });
});

describe('nextX', () => {
  const all = [at(0, 10, 20), at(5, 10, 15)];
  test.each([
    ['the first in the window', null, 1, [4, 16], 5],
    ['the last in the window', null, -1, [4, 16], 15],
    ['an end of the window', null, -1, [4, 15], 15],
    ['of any series', 5, 1, [4, 16], 10],
    ['one at which several have a point', 10, 1, [4, 16], 15],
    ['to the left', 10, -1, [4, 16], 5],
    ['beyond the window', 15, 1, [4, 16], 20],
    ['between points', 12, -1, [4, 16], 10],
    ['after the last', 20, 1, [4, 16], null],
    ['before the first', 0, -1, [4, 16], null],
  ] as const)('%s', (_, from, by, window, x) => {
    expect(nextX(all, from, by, [...window])).toBe(x);
  });

  test('nothing', () => {
    expect(nextX([at()], null, 1, [0, 1])).toBeNull();
  });
});

describe('middle', () => {
  test('the mean, if there is one', () => {
    expect(middle({ ...seriesOf([0], [1], [100]), mean: [2] }, 0)).toBe(2);
  });

  test('else halfway; geometrically on a log axis', () => {
    expect(middle(seriesOf([0], [1], [100]), 0)).toBe(50.5);
    expect(middle(seriesOf([0], [1], [100]), 0, true)).toBe(10);
    expect(middle(seriesOf([0], [-1], [1]), 0, true)).toBe(0);
  });

  test('huge values do not overflow', () => {
    expect(middle(seriesOf([0], [1e308], [1.6e308]), 0)).toBeCloseTo(1.3e308, -300);
    expect(middle(seriesOf([0], [1e300], [1e308]), 0, true)).toBeCloseTo(1e304, -300);
  });

  test('a point of a single value is that value', () => {
    expect(middle(seriesOf([0], [-Infinity]), 0)).toBe(-Infinity);
    expect(middle(seriesOf([0], [NaN]), 0)).toBeNaN();
  });
});

describe('bounds', () => {
  test('of all series in the window', () => {
    const all = [seriesOf([0, 1, 2], [5, 1, 6], [7, 3, 8]), seriesOf([0], [-2])];
    expect(bounds(all, [0, 2], false)).toEqual([-2, 8]);
  });

  test('not of what is outside', () => {
    expect(bounds([at(0, 1, 2, 3, 4, 100)], [1, 2], false)).toEqual([0, 3]);
  });

  test('NaN and infinities do not count', () => {
    const series = seriesOf([0, 1, 2, 3], [NaN, 1, -Infinity, 2], [NaN, 4, 3, Infinity]);
    expect(bounds([series], [0, 3], false)).toEqual([1, 4]);
  });

  test('a log axis has only positive values', () => {
    expect(bounds([seriesOf([0, 1], [0, 2], [1, 5])], [0, 1], true)).toEqual([2, 5]);
    expect(bounds([seriesOf([0], [-5], [5])], [0, 1], true)).toEqual([0.5, 5]);
    expect(bounds([seriesOf([0], [-5])], [0, 1], true)).toBeNull();
  });

  test('nothing', () => {
    expect(bounds([], [0, 1], false)).toBeNull();
    expect(bounds([at()], [0, 1], false)).toBeNull();
    expect(bounds([seriesOf([0], [NaN])], [0, 1], false)).toBeNull();
  });
});
