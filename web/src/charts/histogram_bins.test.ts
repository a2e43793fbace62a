import { describe, expect, test } from 'vitest';
import { linear } from '../base/scale';
import { binAt, expectation, outline, type Series } from './histogram_bins';

const SERIES: Series = { name: 's', edges: [0, 1, 3], percents: [25, 75], expected: [50, 50] };
const X = linear(0, 10, 0, 100);
const Y = linear(0, 100, 100, 0);

describe('binAt', () => {
  test.each([
    [-0.1, -1],
    [0, 0],
    [0.99, 0],
    [1, 1],
    [2.9, 1],
    [3, -1],
    [NaN, -1],
  ])('%f: %i', (value, bin) => {
    expect(binAt(SERIES, value)).toBe(bin);
  });

  test('nothing', () => {
    expect(binAt({ name: '', edges: [], percents: [] }, 0)).toBe(-1);
  });
});

test('outline', () => {
  expect(outline(SERIES, X, Y)).toBe('M0.0 100.0V75.0H10.0V25.0H30.0V100.0Z');
  expect(outline({ ...SERIES, percents: [null, 75] }, X, Y)).toBe(
    'M0.0 100.0V100.0H10.0V25.0H30.0V100.0Z',
  );
  expect(outline({ name: '', edges: [], percents: [] }, X, Y)).toBe('M0.0 100.0V100.0Z');
});

test('the expectation runs through the centers of the bins', () => {
  expect(expectation(SERIES, X, Y)).toBe('M5.0 50.0L20.0 50.0');
  expect(expectation({ name: '', edges: [0, 1], percents: [1] }, X, Y)).toBe('');
});
