import { describe, expect, test } from 'vitest';
import { chosenRows, type HeatmapData, shade, shareOf } from './heatmap_data';

const DATA: HeatmapData = {
  unit: 's',
  low: 1,
  high: 3,
  steps: [0, 10],
  rows: [
    { name: 'worker_0', values: [1, null] },
    { name: 'worker_1', values: [2, 3], bad: [0] },
    { name: 'worker_2', values: [3, 1] },
  ],
};

describe('chosenRows', () => {
  test('all rows unless one is chosen', () => {
    expect(chosenRows(DATA, null)).toBe(DATA.rows);
    expect(chosenRows(DATA, 'worker_9')).toBe(DATA.rows);
  });

  test('a chosen row is beside the median of all', () => {
    expect(chosenRows(DATA, 'worker_1')).toEqual([
      DATA.rows[1],
      { name: 'median of all', values: [2, 3] },
    ]);
  });

  test('where nothing was measured there is no median', () => {
    const empty = { ...DATA, rows: [{ name: 'a', values: [null] }] };
    expect(chosenRows(empty, 'a')[1]?.values).toEqual([null]);
  });
});

test('colors go from low to high', () => {
  expect([1, 2, 3].map((value) => shareOf(DATA, value))).toEqual([0, 0.5, 1]);
  expect(shareOf({ unit: '%', rows: [] }, 25)).toBe(0.25);
  expect(shareOf({ ...DATA, low: 1, high: 1 }, 1)).toBe(0.5);
  expect(shade(0)).toEqual([0, 32, 77]);
  expect(shade(7)).toEqual([255, 234, 70]);
  expect(shade(0.1)).toEqual([25, 50, 92]);
});
