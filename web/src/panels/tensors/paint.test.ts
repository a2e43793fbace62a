import { expect, test } from 'vitest';
import { kindFor, rangeOfPicture } from './paint';

const pictureOf = (rows: number[][]) => ({
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  value: (row: number, column: number) => rows[row]?.[column] ?? NaN,
});

test('diverging if there are values on both sides of zero', () => {
  expect(kindFor([-1, 1])).toBe('diverging');
  expect([kindFor([0, 1]), kindFor([-1, 0]), kindFor([2, 3])]).toEqual(Array(3).fill('sequential'));
});

test.each([
  [
    [
      [3, 1],
      [2, -5],
    ],
    [-5, 3],
  ],
  [
    [
      [NaN, Infinity],
      [-Infinity, 4],
    ],
    [4, 4],
  ],
  [[[NaN]], [0, 1]],
  [[], [0, 1]],
])('%j', (rows, range) => {
  expect(rangeOfPicture(pictureOf(rows))).toEqual(range);
});
