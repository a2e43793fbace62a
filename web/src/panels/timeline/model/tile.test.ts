import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../api/runs_for_test';
import { Names } from './names';
import { rowOf, Tile } from './tile';
import { tileOf } from './tiles_for_test';

const starts = (tile: Tile, track: number, depth: number): number[] => {
  const [first, last] = tile.row(rowOf(track, depth)) ?? [0, 0];
  return [...tile.start.slice(first, last)];
};

describe('Tile', () => {
  test('slices by row, whatever order they come in', () => {
    const tile = tileOf([
      { track: 2, depth: 0, start: 5, duration: 1 },
      { track: 1, depth: 1, start: 3, duration: 1 },
      { track: 1, depth: 0, start: 0, duration: 9 },
      { track: 2, depth: 0, start: 8, duration: 1 },
      { track: 1, depth: 1, start: 1, duration: 1 },
    ]);
    expect(starts(tile, 1, 0)).toEqual([0]);
    expect(starts(tile, 1, 1)).toEqual([1, 3]);
    expect(starts(tile, 2, 0)).toEqual([5, 8]);
    expect(tile.row(rowOf(3, 0))).toBeUndefined();
    expect([...tile.allRows()]).toHaveLength(3);
  });

  test('sorting keeps the facts of a slice together', () => {
    const tile = tileOf([
      { start: 9, duration: 1, name: 'late', count: 3, id: 90 },
      { start: 1, duration: 2, name: 'early', id: 10 },
    ]);
    expect(tile.at(0)).toMatchObject({ start: 1, end: 3, count: 1, id: 10 });
    expect(tile.at(1)).toMatchObject({ start: 9, end: 10, count: 3, id: 90 });
  });

  test('names are shared between tiles', () => {
    const names = new Names();
    names.numberOf('before');
    const first = tileOf([{ start: 0, duration: 1, name: 'relu' }], names);
    const second = tileOf(
      [
        { start: 0, duration: 1, name: 'matmul' },
        { start: 1, duration: 1, name: 'relu' },
      ],
      names,
    );
    expect(names.text(first.at(0).name)).toBe('relu');
    expect(second.at(1).name).toBe(first.at(0).name);
  });

  test('complete without merged slices', () => {
    expect(tileOf([{ start: 0, duration: 1 }]).complete).toBe(true);
    expect(tileOf([]).complete).toBe(true);
    expect(tileOf([{ start: 0, duration: 1, count: 2 }]).complete).toBe(false);
  });

  test('the first slice that ends after a time', () => {
    const tile = tileOf([0, 10, 20].map((start) => ({ start, duration: 5 })));
    const after = (time: number): number => tile.firstAfter(time, 0, 3);
    expect([-1, 4.9, 5, 12, 25, 99].map(after)).toEqual([0, 0, 1, 1, 3, 3]);
    expect(tile.firstAfter(0, 2, 2)).toBe(2);
  });

  test('missing columns and negative durations', () => {
    const tile = new Tile(
      0,
      1,
      columnsOf({}, { track: Uint32Array.of(1), duration: Float64Array.of(-5) }),
      new Names(),
    );
    expect(tile.at(0)).toMatchObject({ start: 0, end: 0, count: 1, id: 0 });
  });

  test('the size grows with the slices', () => {
    const sizes = [0, 10, 1000].map(
      (length) => tileOf(Array.from({ length }, (_, start) => ({ start, duration: 1 }))).bytes,
    );
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect(sizes[0]).toBeGreaterThan(0);
  });
});

test('rows: unique, also for deep ones', () => {
  expect(rowOf(1, 0)).not.toBe(rowOf(0, 4095));
  expect(rowOf(0, 1e6)).toBe(rowOf(0, 4095));
  expect(rowOf(1, 1e6)).toBeLessThan(rowOf(2, 0));
});
