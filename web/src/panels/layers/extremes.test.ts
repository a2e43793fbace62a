import { expect, test } from 'vitest';
import { finiteRows } from './extremes';

test.each([
  [
    [3, 1, 2],
    [1, 2, 0],
  ],
  [
    [-1, -5, 0],
    [1, 0, 2],
  ],
  [
    [2, NaN, Infinity, 1, -Infinity],
    [3, 0],
  ],
  [
    [7, 7, 7],
    [0, 1, 2],
  ],
  [[], []],
])('%j: %j', (values, rows) => {
  expect(finiteRows(values.length, Float32Array.from(values))).toEqual(rows);
});

test('rows without a value', () => {
  expect(finiteRows(3, Float32Array.of(5))).toEqual([0]);
});
