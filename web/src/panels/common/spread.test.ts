import { describe, expect, test } from 'vitest';
import { spreadLine, spreadOf } from './spread';

describe('spreadOf', () => {
  test('mean and standard deviation of what is there', () => {
    const spread = spreadOf([2, null, 4, NaN, 4, 4, Infinity, 5, 5, 7, 9]);
    expect(spread).toMatchObject({ count: 8, mean: 5, min: 2, max: 9 });
    expect(spread?.deviation).toBeCloseTo(2.13809, 5);
  });

  test('large values close together', () => {
    expect(spreadOf([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])?.deviation).toBeCloseTo(5.47723, 5);
  });

  test('one value, and none', () => {
    expect(spreadOf([3])).toEqual({ count: 1, mean: 3, deviation: 0, min: 3, max: 3 });
    expect(spreadOf([null, NaN])).toBeNull();
  });
});

test('spreadLine: lines of different lengths', () => {
  const line = spreadLine([new Float64Array([1, 2, NaN]), [3, NaN]]);
  expect(line.map((one) => one?.mean ?? null)).toEqual([2, 2, null]);
  expect(line[0]).toMatchObject({ count: 2, min: 1, max: 3 });
});
