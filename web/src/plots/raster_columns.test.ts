import { describe, expect, test } from 'vitest';
import { Columns, mixed } from './raster_columns';

const WIDTH = 6;

function drawn(...segments: [number, number, number, number][]): Columns {
  const columns = new Columns();
  columns.reset(WIDTH);
  for (const [x0, y0, x1, y1] of segments) columns.segment(x0, y0, x1, y1, WIDTH);
  return columns;
}
const inked = ({ pieces }: Columns): number[] => [...pieces].flatMap((n, i) => (n > 0 ? [i] : []));

describe('Columns', () => {
  test('a slope covers a part of the height in each column', () => {
    const columns = drawn([0, 0, 3, 30]);
    expect([...columns.low.slice(0, 3)]).toEqual([0, 10, 20]);
    expect([...columns.high.slice(0, 3)]).toEqual([10, 20, 30]);
    expect(inked(columns)).toEqual([0, 1, 2, 3]);
  });

  test('a steep line stays in its column', () => {
    const columns = drawn([2.2, 50, 2.8, 10]);
    expect(inked(columns)).toEqual([2]);
    expect([columns.low[2], columns.high[2]]).toEqual([10, 50]);
  });

  test('pieces of one column add up', () => {
    const columns = drawn([1, 5, 1.5, 9], [1.5, 9, 1.9, 2]);
    expect(columns.pieces[1]).toBe(2);
    expect([columns.low[1], columns.high[1]]).toEqual([2, 9]);
  });

  test('two pieces of one slope are a slope, as one piece is', () => {
    const one = drawn([0, 0, 4, 40]);
    const two = drawn([0, 0, 1.9, 19], [1.9, 19, 4, 40]);
    for (const column of [0, 1, 2, 3]) {
      expect(two.isSlope(column)).toBe(one.isSlope(column));
      expect([two.low[column], two.high[column]]).toEqual([one.low[column], one.high[column]]);
    }
    expect(drawn([0, 0, 1.5, 9], [1.5, 9, 3, 0]).isSlope(1)).toBe(false);
    expect(drawn([0, 5, 3, 5]).isSlope(1)).toBe(true);
    expect(drawn([0, 5, 3, 5]).isSlope(5)).toBe(false);
  });

  test('a slope leads on in the columns next to it, until the line turns', () => {
    const up = drawn([0, 0, 1.9, 19], [1.9, 19, 4, 40], [4, 40, 6, 30]);
    expect([up.lowest(2, 1), up.highest(2, 1)]).toEqual([10, 40]);
    expect([up.lowest(2, 9), up.highest(2, 9)]).toEqual([0, 40]);
    expect([up.lowest(2, 0), up.highest(2, 0)]).toEqual([20, 30]);
    const down = drawn([0, 10, 3, 40], [3, 40, 6, 10]);
    expect([down.lowest(4, 1), down.highest(4, 1)]).toEqual([10, 40]);
  });

  test('a single point', () => {
    const columns = drawn([3.5, 7, 3.5, 7]);
    expect(inked(columns)).toEqual([3]);
    expect([columns.low[3], columns.high[3]]).toEqual([7, 7]);
  });

  test('what is outside is cut, not moved', () => {
    expect(inked(drawn([-10, 0, -5, 0]))).toEqual([]);
    expect(inked(drawn([10, 0, 20, 0]))).toEqual([]);
    const columns = drawn([-100, -100, 100, 100]);
    expect(inked(columns)).toEqual([0, 1, 2, 3, 4, 5]);
    expect([columns.low[0], columns.high[5]]).toEqual([0, 6]);
  });

  test('reset empties, also for a wider picture', () => {
    const columns = drawn([0, 1, 5, 1]);
    columns.reset(10);
    expect(inked(columns)).toEqual([]);
    expect(columns.low[9]).toBe(Infinity);
  });
});

describe('mixed', () => {
  test('the ends', () => {
    expect(mixed(0xffffff, 0x000000, 255)).toBe(0xffffff);
    expect(mixed(0xffffff, 0x123456, 0)).toBe(0x123456);
  });

  test('halfway, channel by channel', () => {
    const half = mixed(0xff0000, 0x0000ff, 128);
    for (const shift of [0, 16]) expect(Math.abs(((half >> shift) & 255) - 128)).toBeLessThan(3);
    expect((half >> 8) & 255).toBe(0);
  });

  test('blending a color with itself keeps it', () => {
    for (const part of [0, 1, 77, 128, 254, 255])
      expect(mixed(0xa1b2c3, 0xa1b2c3, part)).toBe(0xa1b2c3);
  });
});
