import { describe, expect, test } from 'vitest';

import type { Stepwise } from './layout';
import { principalComponents } from './pca';
import { centered, type Points, randomFrom, squaredDistances } from './points';
import { neighborChances, Tsne } from './tsne';
import { Umap } from './umap';

// Three clusters of points in ten dimensions, far from each other.
function clusters(each = 20): { points: Points; labels: number[] } {
  const random = randomFrom(1);
  const labels = Array.from({ length: 3 * each }, (_, i) => i % 3);
  const values = labels.flatMap((label) =>
    Array.from({ length: 10 }, (_, k) => (k === label ? 8 : 0) + random() - 0.5),
  );
  return { points: { rows: labels.length, columns: 10, values }, labels };
}

// The share of points whose nearest neighbor on the plane is of their own cluster.
function together(places: Float64Array, labels: readonly number[]): number {
  const own = labels.filter((label, i) => {
    let [best, at] = [Infinity, -1];
    labels.forEach((_, j) => {
      const x = (places[2 * i] ?? 0) - (places[2 * j] ?? 0);
      const y = (places[2 * i + 1] ?? 0) - (places[2 * j + 1] ?? 0);
      if (j !== i && x * x + y * y < best) [best, at] = [x * x + y * y, j];
    });
    return labels[at] === label;
  });
  return own.length / labels.length;
}

const finish = (layout: Stepwise): Float64Array => {
  while (!layout.done) layout.step();
  return layout.places;
};

describe('points', () => {
  test('columns lose their means; what is not finite counts as the mean', () => {
    const points = { rows: 3, columns: 2, values: [1, 5, 3, NaN, 2, 7] };
    expect([...centered(points)]).toEqual([-1, -1, 1, 0, 0, 1]);
  });

  test('distances of all pairs', () => {
    const points = { rows: 3, columns: 2, values: [0, 0, 3, 4, 0, 1] };
    expect([...squaredDistances(points)]).toEqual([0, 25, 1, 25, 0, 18, 1, 18, 0]);
  });
});

describe('principal components', () => {
  test('find the directions of most variance', () => {
    // Variance 4 : 1 along (1, 1) and (1, -1).
    const values = [2, 2, -2, -2, 1, -1, -1, 1];
    const { scores, shares } = principalComponents({ rows: 4, columns: 2, values }, 2);
    expect(shares[0]).toBeCloseTo(0.8);
    expect(shares[1]).toBeCloseTo(0.2);
    expect(Math.abs(scores[0] ?? 0)).toBeCloseTo(Math.sqrt(8));
    expect(Math.abs(scores[1] ?? 1)).toBeCloseTo(0);
    expect(Math.abs(scores[5] ?? 0)).toBeCloseTo(Math.sqrt(2));
  });

  test('points that are all equal, and fewer columns than components', () => {
    const same = principalComponents({ rows: 3, columns: 2, values: [1, 1, 1, 1, 1, 1] }, 2);
    expect([...same.scores]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(same.shares).toEqual([0, 0]);
    const line = principalComponents({ rows: 2, columns: 1, values: [0, 2] }, 2);
    expect(line.shares[0]).toBeCloseTo(1);
    expect(line.shares[1]).toBeCloseTo(0);
  });
});

test('chances of neighbors add up to 1 and have the perplexity', () => {
  const { points } = clusters(10);
  const chances = neighborChances(squaredDistances(points), 30, 5);
  const row = [...chances.subarray(0, 30)];
  expect(row.reduce((a, b) => a + b)).toBeCloseTo(1);
  const entropy = row.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
  expect(Math.exp(entropy)).toBeCloseTo(5, 2);
});

describe.each([
  ['t-SNE', Tsne],
  ['UMAP', Umap],
])('%s', (_, Layout) => {
  test('keeps clusters together, the same way each time', () => {
    const { points, labels } = clusters();
    const squared = squaredDistances(points);
    const { scores } = principalComponents(points, 2);
    const places = finish(new Layout(squared, points.rows, scores));
    expect(together(places, labels)).toBe(1);
    expect(places.every(Number.isFinite)).toBe(true);
    const again = finish(new Layout(squared, points.rows, scores));
    expect([...again]).toEqual([...places]);
  });

  test('few points, and points that are all equal', () => {
    for (const rows of [2, 3]) {
      const points = { rows, columns: 1, values: new Float64Array(rows).fill(4) };
      const layout = new Layout(squaredDistances(points), rows, new Float64Array(2 * rows));
      expect(finish(layout).every(Number.isFinite)).toBe(true);
    }
  });
});
