import { describe, expect, test } from 'vitest';
import { amountOf, compareCells } from './cell_order';

describe('amountOf', () => {
  test.each([
    ['1,234,567', 1234567],
    ['-3.5', -3.5],
    ['−3.5', -3.5],
    ['12 %', 12],
    ['850 µs', 850e-6],
    ['12.3 ms', 0.0123],
    ['2.53 s', 2.53],
    ['2 min 05 s', 125],
    ['1 h 02 min', 3720],
    ['1,000 days 4 h', 1000 * 86400 + 4 * 3600],
    ['−2 min 05 s', -125],
    ['3 kB/s', 3000],
    ['1.5 GB/s', 1.5e9],
    ['1.2e-5 s', 1.2e-5],
    ['7 apples', 7],
    ['2024-05-06 07:08:09 UTC', 2024],
  ])('%s is %f', (text, amount) => {
    expect(amountOf(text)).toBeCloseTo(amount, 12);
  });

  test.each(['', '–', 'none', 'NaN'])('%j sorts below every number', (text) => {
    expect(amountOf(text)).toBe(-Infinity);
  });
});

describe('compareCells', () => {
  const sorted = (cells: string[], numeric: boolean): string[] =>
    [...cells].sort((a, b) => compareCells(a, b, numeric));

  test('durations of different units', () => {
    const cells = ['1 h 02 min', '119 s', '850 µs', '–', '2 min 05 s', '12.3 ms'];
    const expected = ['–', '850 µs', '12.3 ms', '119 s', '2 min 05 s', '1 h 02 min'];
    expect(sorted(cells, true)).toEqual(expected);
  });

  test('rates of different units', () => {
    expect(sorted(['3 MB/s', '12 kB/s', '999 B/s'], true)).toEqual([
      '999 B/s',
      '12 kB/s',
      '3 MB/s',
    ]);
  });

  test('missing values are equal', () => {
    expect(compareCells('–', '', true)).toBe(0);
    expect(compareCells('1,000', '1000', true)).toBe(0);
  });

  test('names sort by the numbers in them', () => {
    expect(sorted(['gpu10', 'gpu2', 'CPU1'], false)).toEqual(['CPU1', 'gpu2', 'gpu10']);
  });
});
