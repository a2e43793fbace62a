import { describe, expect, test } from 'vitest';

import type { TensorInfo } from '../../api/types';
import {
  coloringOf,
  isLabels,
  isPoints,
  likelyLabels,
  likelyPoints,
  sampleOf,
} from './projector_data';

const tensor = (
  name: string,
  shape: number[] | null,
  more: Partial<TensorInfo> = {},
): TensorInfo => ({
  name,
  shape,
  dtype: 'float32',
  collections: [],
  modes: [],
  steps: 1,
  first: 0,
  last: 0,
  values: true,
  statistics: [],
  ...more,
});

describe('tensors', () => {
  test('points have three rows and two columns at least, and values', () => {
    expect(isPoints(tensor('a', [3, 2]))).toBe(true);
    expect(isPoints(tensor('a', [3, 1, 2]))).toBe(true);
    expect(isPoints(tensor('a', [2, 9]))).toBe(false);
    expect(isPoints(tensor('a', [9, 1]))).toBe(false);
    expect(isPoints(tensor('a', [9]))).toBe(false);
    expect(isPoints(tensor('a', null))).toBe(false);
    expect(isPoints(tensor('a', [9, 9], { values: false }))).toBe(false);
  });

  test('labels have one value for each row', () => {
    expect(isLabels(tensor('a', [5]), 5)).toBe(true);
    expect(isLabels(tensor('a', [5, 1]), 5)).toBe(true);
    expect(isLabels(tensor('a', [5, 2]), 5)).toBe(false);
    expect(isLabels(tensor('a', [1, 5]), 5)).toBe(false);
  });

  test('the selected tensor, else one that is called so, else the last output', () => {
    const all = [
      tensor('word_embedding', [50, 8]),
      tensor('fc.weight', [50, 8], { collections: ['weights'] }),
      tensor('fc_output_0', [50, 8]),
      tensor('loss', []),
      tensor('y_true_labels', [50]),
    ];
    expect(likelyPoints(all, 'fc.weight')?.name).toBe('fc.weight');
    expect(likelyPoints(all, 'loss')?.name).toBe('word_embedding');
    expect(likelyPoints(all.slice(1), 'loss')?.name).toBe('fc_output_0');
    expect(likelyPoints([tensor('loss', [])], '')).toBeUndefined();
    expect(likelyLabels(all, 50)?.name).toBe('y_true_labels');
    expect(likelyLabels(all, 40)).toBeUndefined();
  });
});

describe('sampleOf', () => {
  test('small tensors whole', () => {
    const sample = sampleOf([100, 8], 'tsne');
    expect(sample).toEqual({ slice: '0:100:1,0:8:1', labels: '0:100:1', every: 1, everyColumn: 1 });
  });

  test('rows as the method can place them, within what the server sends', () => {
    expect(sampleOf([60000, 8], 'tsne').every).toBe(60);
    expect(sampleOf([60000, 8], 'pca').every).toBe(15);
    expect(sampleOf([60000, 4096], 'pca')).toMatchObject({ every: 235, everyColumn: 1 });
  });

  test('long rows: every n-th number of the last axis', () => {
    expect(sampleOf([10, 3, 64, 64], 'pca')).toMatchObject({
      slice: '0:10:1,:,:,0:64:3',
      everyColumn: 3,
    });
    expect(sampleOf([10, 100000, 2], 'pca')).toMatchObject({ everyColumn: 2 });
  });
});

describe('coloringOf', () => {
  test('few labels are classes, by value', () => {
    const coloring = coloringOf([10, 2, NaN, 2]);
    expect(coloring).toEqual({
      kind: 'classes',
      classes: ['2', '10'],
      of: Int32Array.from([1, 0, -1, 0]),
    });
    expect(coloringOf(['cat', 'ant'])).toMatchObject({ classes: ['ant', 'cat'] });
    expect(coloringOf([])).toEqual({ kind: 'none' });
  });

  test('many numbers are on a ramp', () => {
    const labels = Array.from({ length: 40 }, (_, i) => i / 2);
    expect(coloringOf(labels)).toMatchObject({ kind: 'ramp', low: 0, high: 19.5 });
  });
});
