import { describe, expect, test } from 'vitest';
import { legendText, pointText } from './series_legend';
import type { PlotSeries } from './series_points';

const SERIES: PlotSeries = { name: 's', x: [0, 10, 20], low: [1, 2, 3], high: [1, 4, NaN] };

describe('pointText', () => {
  test('a single value', () => {
    expect(pointText(SERIES, 0, '')).toBe('1');
    expect(pointText(SERIES, 0, '%')).toBe('1 %');
  });

  test('a point that covers several', () => {
    expect(pointText(SERIES, 1, '')).toBe('3 (2 to 4)');
    expect(pointText({ ...SERIES, mean: [0, 2.5, 0] }, 1, 's')).toBe('2.5 s (2 s to 4 s)');
  });

  test('NaN and infinities', () => {
    expect(pointText(SERIES, 2, '')).toBe('–');
    expect(pointText({ ...SERIES, low: [-Infinity], high: [-Infinity] }, 0, '')).toBe('−∞');
    expect(pointText({ ...SERIES, low: [1], high: [Infinity] }, 0, '')).toBe('∞ (1 to ∞)');
  });
});

describe('legendText', () => {
  test('the last value without a cursor', () => {
    expect(legendText({ ...SERIES, high: [1, 2, 3] }, null, '')).toBe('3');
  });

  test('the value nearest to the cursor', () => {
    expect(legendText(SERIES, 4, '')).toBe('1');
    expect(legendText(SERIES, 6, '')).toBe('3 (2 to 4)');
  });

  test('nothing far before the first and after the last', () => {
    expect(legendText(SERIES, -31, '')).toBe('–');
    expect(legendText(SERIES, -30, '')).toBe('1');
    expect(legendText(SERIES, 51, '')).toBe('–');
  });

  test('a single point has no distance to compare with', () => {
    expect(legendText({ name: 's', x: [5], low: [2], high: [2] }, 1e9, '')).toBe('2');
  });

  test.each([null, 3])('an empty series, cursor %j', (at) => {
    expect(legendText({ name: 's', x: [], low: [], high: [] }, at, 's')).toBe('–');
    expect(legendText({ name: 's', x: [], low: [], high: [], mean: [] }, at, '')).toBe('–');
  });
});
