import { describe, expect, test } from 'vitest';
import { marksOf, peakOf, sharesOf } from './histograms';

describe('marksOf', () => {
  test('round numbers if the bins are even', () => {
    expect(marksOf([0, 1, 2, 3, 4], 2)).toEqual([
      { bin: 0, label: '0' },
      { bin: 2, label: '2' },
      { bin: 4, label: '4' },
    ]);
    expect(marksOf([-1, 0, 1], 2).map(({ bin }) => bin)).toEqual([0, 1, 2]);
  });

  test('edges if they are not', () => {
    expect(marksOf([0.001, 0.01, 0.1, 1, 10], 2)).toEqual([
      { bin: 0, label: '0.001' },
      { bin: 2, label: '0.1' },
      { bin: 4, label: '10' },
    ]);
  });

  test('labels differ, however narrow the values are', () => {
    const even = marksOf([100, 100.1, 100.2, 100.3, 100.4], 4).map(({ label }) => label);
    expect(even).toEqual(['100', '100.2', '100.4']);
    const uneven = marksOf([100.1, 100.11, 100.14, 100.2], 3).map(({ label }) => label);
    expect(new Set(uneven).size).toBe(4);
  });

  test.each([[[]], [[5]], [[5, 5]], [[NaN, NaN, NaN]]])('%j', (edges) => {
    for (const { bin } of marksOf(edges, 5)) expect(Number.isFinite(bin)).toBe(true);
  });
});

describe('peakOf', () => {
  const data = { steps: [0, 1, 2], edges: [0, 1, 2, 3], counts: [1, 5, 2, 4, 0, 4, 0, 0, 0] };

  test.each([
    [0, 1],
    [1, 0],
    [2, 0],
    [9, 0],
  ])('row %i: bin %i', (row, bin) => {
    expect(peakOf(data, row)).toBe(bin);
  });
});

describe('sharesOf', () => {
  test('the largest values at the top, each step adds up to 100 %', () => {
    const { rows, shares } = sharesOf({ steps: [0, 1], edges: [0, 1, 2], counts: [1, 3, 2, 0] });
    expect(rows).toEqual(['1 to 2', '0 to 1']);
    expect([...shares]).toEqual([75, 0, 25, 100]);
  });

  test('rows differ, however narrow the values are', () => {
    const { rows } = sharesOf({ steps: [], edges: [100, 100.1, 100.2], counts: [] });
    expect(rows).toEqual(['100.1 to 100.2', '100 to 100.1']);
  });

  test('a step without values', () => {
    expect([...sharesOf({ steps: [0], edges: [0, 1], counts: [0] }).shares]).toEqual([0]);
  });

  test('nothing', () => {
    expect(sharesOf({ steps: [], edges: [], counts: [] }).rows).toEqual([]);
  });
});
