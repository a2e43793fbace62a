import { describe, expect, test } from 'vitest';
import { readLook } from '../common/chart_look';
import type { Measured } from '../common/series';
import { drawnSeries } from './drawn_series';

const seriesOf = (name: string, values: number[]): Measured => ({
  name,
  x: values.map((_, i) => i),
  low: values,
  high: values,
  stepsPerPoint: 1,
});
const lookOf = (text = '') => readLook(new URLSearchParams(text));
const ALL = [seriesOf('A', [0, 4]), seriesOf('B', [2, 0])];

describe('drawnSeries', () => {
  test('as measured', () => {
    expect(drawnSeries(ALL, lookOf(), false, ['A'])).toEqual(ALL);
  });

  test('smoothed', () => {
    const [first] = drawnSeries(ALL, lookOf('window=3'), false, []);
    expect(Array.from(first?.mean ?? [])).toEqual([2, 2]);
  });

  test('the mean of those that are not hidden, smoothed', () => {
    const hidden = drawnSeries([...ALL, seriesOf('C', [9, 9])], lookOf(), true, ['C']);
    expect(hidden).toMatchObject([{ name: 'mean of 2 runs', mean: [1, 2] }]);
    const [smooth] = drawnSeries(ALL, lookOf('window=3'), true, []);
    expect(Array.from(smooth?.mean ?? [])).toEqual([1.5, 1.5]);
  });
});
