import { describe, expect, test } from 'vitest';
import { LOOKS, lookOf, REST_LOOK, topOf, topSlices } from './top_slices';

const SLICES = [
  { label: 'gemm', value: 5 },
  { label: 'relu', value: 3 },
  { label: 'copy', value: 1 },
  { label: '12 others', value: 1, others: 12 },
];

describe('the largest slices', () => {
  test('the rest is one slice, and counts what it stands for', () => {
    expect(topSlices(SLICES, 1, true)).toEqual([
      { label: 'gemm', value: 5, share: 0.5, rest: false },
      { label: '14 others', value: 5, share: 0.5, rest: true },
    ]);
  });

  test('without the rest, shares are still of everything', () => {
    expect(topSlices(SLICES, 2, false).map(({ label, share }) => [label, share])).toEqual([
      ['gemm', 0.5],
      ['relu', 0.3],
    ]);
  });

  test('nothing beyond a single one is called others', () => {
    const all = topSlices(SLICES.slice(0, 3), 2, true);
    expect(all.map(({ label }) => label)).toEqual(['gemm', 'relu', 'copy']);
  });

  test('nothing of nothing', () => {
    expect(topSlices([{ label: 'a', value: 0 }], 5, true)).toEqual([]);
    expect(topSlices([], 5, true)).toEqual([]);
  });

  test('never more slices than looks that differ', () => {
    const many = Array.from({ length: 60 }, (_, i) => ({ label: `k${i}`, value: 1 }));
    const shown = topSlices(many, 60, true);
    expect(shown).toHaveLength(LOOKS + 1);
    const looks = shown.map(({ rest }, i) => JSON.stringify(rest ? REST_LOOK : lookOf(i)));
    expect(new Set(looks).size).toBe(shown.length);
  });
});

test.each([
  ['2', 2],
  ['99', 3],
  ['0', null],
  ['-1', null],
  ['1.5', null],
  ['', null],
  ['k', null],
])('"%s" in the field: %s', (typed, k) => {
  expect(topOf(typed, SLICES)).toBe(k);
});
