import { describe, expect, test } from 'vitest';
import type { PlotOptions } from './plot_options';
import type { PlotSeries } from './series_points';
import { yRange } from './y_range';

const rangeOf = (values: number[], options: Partial<PlotOptions> = {}): [number, number] => {
  const series: PlotSeries = { name: 's', x: values.map((_, i) => i), low: values, high: values };
  return yRange([series], [0, values.length], { label: '', ...options });
};

describe('yRange', () => {
  test('leaves room around the data', () => {
    const [low, high] = rangeOf([100, 110]);
    expect(low).toBeCloseTo(99.4);
    expect(high).toBeCloseTo(110.6);
  });

  test('starts at zero if the data starts close to it', () => {
    expect(rangeOf([1, 10])[0]).toBe(0);
    expect(rangeOf([6, 10])[0]).toBeLessThan(6);
    expect(rangeOf([6, 10])[0]).toBeGreaterThan(5);
  });

  test.each([5, -5, 0, 1e-30, 1e300])('a constant %f is inside', (value) => {
    const [low, high] = rangeOf([value, value]);
    expect(low).toBeLessThanOrEqual(value);
    expect(high).toBeGreaterThan(value);
  });

  test('no data', () => {
    const [low, high] = rangeOf([]);
    expect(low).toBe(0);
    expect(high).toBeGreaterThan(1);
    expect(rangeOf([], { log: true })[0]).toBeGreaterThan(0);
    expect(rangeOf([NaN])).toEqual(rangeOf([]));
  });

  test('thresholds are always visible', () => {
    expect(rangeOf([5, 6], { thresholds: [{ y: 20, label: '' }] })[1]).toBeGreaterThan(20);
    const odd = [NaN, Infinity].map((y) => ({ y, label: '' }));
    expect(rangeOf([5, 6], { thresholds: odd })).toEqual(rangeOf([5, 6]));
  });

  test('a log axis stays positive', () => {
    const [low, high] = rangeOf([1e-9, 1], { log: true, thresholds: [{ y: -1, label: '' }] });
    expect(low).toBeGreaterThan(0);
    expect(low).toBeLessThan(1e-9);
    expect(high).toBeGreaterThan(1);
  });

  test('fixed ends', () => {
    expect(rangeOf([30, 40], { y: [0, 100] })).toEqual([0, 100]);
    expect(rangeOf([30, 40], { y: [0, null] })[0]).toBe(0);
  });

  test('a range too small for floating point is widened', () => {
    const [low, high] = rangeOf([1, 2], { y: [1e9, 1e9 + 1e-7] });
    expect(high - low).toBeGreaterThan(1);
  });

  test('an infinite range is cut', () => {
    expect(rangeOf([-1.7e308, 1.7e308])).toEqual([-1e300, 1e300]);
  });
});
