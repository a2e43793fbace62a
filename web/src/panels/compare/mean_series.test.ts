import { expect, test } from 'vitest';
import type { PlotSeries } from '../../plots/series_points';
import { meanSeries } from './mean_series';

const series = (x: number[], y: number[]): PlotSeries => ({ name: 'r', x, low: y, high: y });

test('mean and one standard deviation at every step', () => {
  const mean = meanSeries([series([0, 10], [1, 3]), series([0, 10], [3, 3])]);
  expect(mean?.name).toBe('mean of 2 runs');
  expect(mean?.x).toEqual([0, 10]);
  expect(mean?.mean).toEqual([2, 3]);
  expect(mean?.low[0]).toBeCloseTo(2 - Math.SQRT2);
  expect(mean?.high[0]).toBeCloseTo(2 + Math.SQRT2);
  expect([mean?.low[1], mean?.high[1]]).toEqual([3, 3]);
});

test('other steps: between two points a straight line, beyond the ends nothing', () => {
  const mean = meanSeries([series([0, 10], [0, 10]), series([5, 20], [1, 7])]);
  expect(mean?.x).toEqual([0, 5, 10, 20]);
  expect(mean?.mean).toEqual([0, 3, 6.5, 7]);
});

test('NaN is left out; without any value there is nothing', () => {
  expect(meanSeries([series([0], [NaN]), series([0], [4])])?.mean).toEqual([4]);
  expect(meanSeries([series([0], [NaN])])).toBeNull();
  expect(meanSeries([])).toBeNull();
});
