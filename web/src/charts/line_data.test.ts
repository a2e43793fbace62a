import { describe, expect, test } from 'vitest';
import { extent, highest, type LinesData, nearest, type Series, told } from './line_data';

const dataOf = (series: Series[], changes: Partial<LinesData> = {}): LinesData => ({
  unit: '%',
  origin: 1000,
  series,
  ...changes,
});
const shown = (series: Series[]) => series.map((one, number) => ({ series: one, number }));

const EVEN: Series = { name: 'cpu', start: 1000, interval: 10, y: [1, null, 3] };
const ODD: Series = { name: 'gpu', x: [1005, 1050], y: [40, 50], low: [30, 50], high: [60, 50] };

describe('extent', () => {
  test('of all series, from the origin', () => {
    expect(extent(dataOf([EVEN, ODD]))).toEqual([0, 50]);
  });

  test('a single point has some room', () => {
    expect(extent(dataOf([{ name: '', x: [1007], y: [1] }]))).toEqual([6.5, 7.5]);
  });

  test('series without points do not count', () => {
    expect(extent(dataOf([EVEN, { name: 'none', x: [], y: [] }]))).toEqual([0, 20]);
    expect(extent(dataOf([{ name: 'none', x: [], y: [] }]))).toEqual([0, 1]);
    expect(extent(dataOf([]))).toEqual([0, 1]);
  });
});

describe('highest', () => {
  test('of the range, with bands and dots', () => {
    const data = dataOf([EVEN, ODD]);
    expect(highest(shown([EVEN]), data, [0, 50])).toBe(3);
    expect(highest(shown([EVEN]), data, [0, 5])).toBe(1);
    expect(highest(shown([EVEN, ODD]), data, [0, 10])).toBe(60);
    const marked: Series = {
      ...EVEN,
      marks: [
        [1004, 99],
        [1040, 500],
      ],
    };
    expect(highest(shown([marked]), data, [0, 20])).toBe(99);
  });

  test('never zero', () => {
    expect(highest([], dataOf([]), [0, 1])).toBe(1);
    expect(highest(shown([{ ...EVEN, y: [-5, 0, null] }]), dataOf([]), [0, 50])).toBe(1);
  });
});

test('nearest', () => {
  expect([-5, 4, 5, 16, 99].map((time) => nearest(EVEN, time, 1000))).toEqual([0, 0, 0, 2, 2]);
});

describe('told', () => {
  test('the time and the values', () => {
    expect(told(shown([EVEN, ODD]), 0, dataOf([EVEN, ODD]))).toEqual([
      '0:00 · 1970-01-01 00:16:40 UTC',
      'cpu: 1 %',
      'gpu: 40 % (30 to 60)',
    ]);
  });

  test('nothing where nothing was measured', () => {
    expect(told(shown([EVEN]), 10, dataOf([EVEN]))).toHaveLength(1);
    expect(told(shown([{ name: '', y: [] }]), 10, dataOf([]))).toHaveLength(1);
  });

  test('over steps, in another unit', () => {
    const data = dataOf([ODD], { over: 'step', unit: 's', origin: 0 });
    expect(told(shown([{ ...ODD, x: [1, 2] }]), 2, data)).toEqual(['step 2', 'gpu: 50 s']);
  });

  test('at most a dozen values', () => {
    const many = Array.from({ length: 30 }, () => EVEN);
    expect(told(shown(many), 0, dataOf(many))).toHaveLength(13);
  });
});
