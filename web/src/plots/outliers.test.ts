import { describe, expect, test } from 'vitest';
import { usualBounds } from './outliers';
import type { PlotSeries } from './series_points';
import { yRange } from './y_range';

const seriesOf = (values: number[]): PlotSeries => ({
  name: 's',
  x: values.map((_, i) => i),
  low: values,
  high: values,
});
const curve = Array.from({ length: 200 }, (_, i) => 2 + Math.sin(i / 10));
const with_ = (...more: [number, number][]): number[] => {
  const values = [...curve];
  for (const [i, value] of more) values[i] = value;
  return values;
};
const usual = (values: number[], log = false): [number, number] | null =>
  usualBounds([seriesOf(values)], [0, values.length], log);

describe('usualBounds', () => {
  test('a spike is left out, on either side', () => {
    const [low, high] = usual(with_([50, 1e6], [90, -1e6])) ?? [0, 0];
    expect(low).toBeGreaterThan(0.9);
    expect(high).toBeLessThan(3.1);
  });

  test('values that are only a little beyond the others stay', () => {
    expect(usual(with_([50, 3.4]))?.[1]).toBe(3.4);
    expect(usual(curve)).toEqual([Math.min(...curve), Math.max(...curve)]);
  });

  test('few values have no outliers', () => {
    expect(usual([1, 2, 1000])).toEqual([1, 1000]);
  });

  test('values that are not finite are ignored, zeros on a logarithmic axis too', () => {
    expect(usual(with_([5, NaN], [6, Infinity]))?.[1]).toBeLessThan(3.1);
    expect(usual(with_([5, 0], [6, 1e9]), true)?.[1]).toBeLessThan(3.1);
  });

  test('a constant with one spike shows the spike: nothing else is there to be seen', () => {
    const flat = Array.from({ length: 100 }, (_, i) => (i === 7 ? 9 : 1));
    expect(usual(flat)).toEqual([1, 9]);
  });

  test('nothing', () => {
    expect(usual([])).toBeNull();
    expect(usual([NaN])).toBeNull();
  });

  test('long series are sampled, and only what is visible counts', () => {
    const long = Array.from({ length: 100_000 }, (_, i) => (i < 50_000 ? 1 + (i % 7) : 1e6 + i));
    expect(usualBounds([seriesOf(long)], [0, 40_000], false)?.[1]).toBeLessThan(10);
  });
});

test('the axis follows the switch', () => {
  const series = [seriesOf(with_([50, 1e6]))];
  expect(yRange(series, [0, 200], { label: '' })[1]).toBeGreaterThan(1e5);
  expect(yRange(series, [0, 200], { label: '', clip: true })[1]).toBeLessThan(4);
});
