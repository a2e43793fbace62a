import { describe, expect, test } from 'vitest';
import type { PlotSeries } from '../../plots/series_points';
import { readLook } from './chart_look';
import { averaged, smoothed, windowed } from './smoothing';

const seriesOf = (values: number[]): PlotSeries => ({
  name: 's',
  x: values.map((_, i) => i),
  low: values,
  high: values,
});
const means = (values: number[], weight: number): number[] =>
  Array.from(smoothed(seriesOf(values), weight).mean ?? []);

describe('smoothed', () => {
  test.each([0, 1, -1, NaN, 2])('%f: nothing is changed', (weight) => {
    const series = seriesOf([1, 2]);
    expect(smoothed(series, weight)).toBe(series);
  });

  test('the average starts at the first value, not at zero', () => {
    for (const mean of means([4, 4, 4], 0.9)) expect(mean).toBeCloseTo(4);
    expect(means([0, 3], 0.5)).toEqual([0, expect.closeTo(2)]);
  });

  test('the band reaches from the average to the value', () => {
    const { low, high } = smoothed(seriesOf([0, 3]), 0.5);
    expect([low[1], high[1]]).toEqual([expect.closeTo(2), 3]);
  });

  test('NaN stays NaN and spoils nothing', () => {
    const [first, second, third] = means([1, NaN, 1], 0.8);
    expect([first, third]).toEqual([expect.closeTo(1), expect.closeTo(1)]);
    expect(second).toBeNaN();
  });
});

describe('windowed', () => {
  const average = (values: number[], points: number): number[] =>
    Array.from(windowed(seriesOf(values), points).mean ?? []);

  test.each([0, 1, -5, NaN])('%f: nothing is changed', (points) => {
    const series = seriesOf([1, 2]);
    expect(windowed(series, points)).toBe(series);
  });

  test('the point is the middle of its window', () => {
    expect(average([0, 3, 6, 9, 12], 3)).toEqual([1.5, 3, 6, 9, 10.5]);
  });

  test('NaN stays NaN and is not averaged', () => {
    expect(average([1, NaN, 3], 3)).toEqual([1, NaN, 3]);
  });

  test('the band reaches from the average to the value', () => {
    const { low, high } = windowed(seriesOf([0, 9, 0]), 3);
    expect([low[1], high[1]]).toEqual([3, 9]);
  });
});

test('averaged: as the reader chose, with windows in saved steps', () => {
  const series = { ...seriesOf([0, 3, 6, 9, 12]), stepsPerPoint: 10 };
  const means = (look: string): number[] =>
    Array.from(averaged(series, readLook(new URLSearchParams(look))).mean ?? []);
  expect(means('window=30')).toEqual([1.5, 3, 6, 9, 10.5]);
  expect(means('smooth=0.5').slice(0, 2)).toEqual([0, expect.closeTo(2)]);
  expect(means('')).toEqual([]);
});
