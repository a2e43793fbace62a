import { describe, expect, test } from 'vitest';

import type { TensorInfo } from '../../api/types';
import {
  isLayerOutput,
  layersOf,
  MOST_LAYERS,
  planeOf,
  project,
  sliceOfLayer,
  START,
  turned,
} from './activation_stack';

const tensor = (name: string, shape: number[], collections: string[] = []): TensorInfo => ({
  name,
  shape,
  dtype: 'float32',
  collections,
  modes: [],
  steps: 1,
  first: 0,
  last: 0,
  values: true,
  statistics: [],
});

describe('layers', () => {
  test('outputs of layers, not weights, gradients or labels', () => {
    expect(isLayerOutput(tensor('relu_output_0', [8, 4]))).toBe(true);
    expect(isLayerOutput(tensor('fc.weight', [8, 4], ['weights']))).toBe(false);
    expect(isLayerOutput(tensor('gradient/relu', [8, 4]))).toBe(false);
    expect(isLayerOutput(tensor('labels', [8, 1]))).toBe(false);
    expect(isLayerOutput(tensor('loss', []))).toBe(false);
  });

  test('those of the same batch, in their order', () => {
    const all = [tensor('b', [8, 4]), tensor('other', [3, 4]), tensor('a', [8, 2, 5, 5])];
    expect(layersOf(all).map(({ name }) => name)).toEqual(['b', 'a']);
    expect(layersOf([])).toEqual([]);
  });

  test('of many evenly chosen ones, with the first and the last', () => {
    const all = Array.from({ length: 100 }, (_, i) => tensor(`l${i}`, [8, 4]));
    const names = layersOf(all).map(({ name }) => name);
    expect(names).toHaveLength(MOST_LAYERS);
    expect([names[0], names.at(-1)]).toEqual(['l0', 'l99']);
  });
});

describe('sliceOfLayer', () => {
  test.each([
    [[8, 10], 2, '2,0:10:1'],
    [[8, 10], 20, '7,0:10:1'],
    [[4, 3, 64, 32], 0, '0,0:3:1,0:64:2,0:32:1'],
    [[4, 512, 64, 64], 0, '0,0:512:8,0:64:2,0:64:2'],
    [[4, 1000000], 0, '0,0:1000000:16'],
  ])('%j', (shape, sample, slice) => {
    expect(sliceOfLayer(shape, sample)).toBe(slice);
  });
});

describe('planeOf', () => {
  test('the mean over channels', () => {
    const plane = planeOf([2, 2, 2], [1, 2, 3, 4, 3, 4, 5, 6]);
    expect(plane).toEqual({ rows: 2, columns: 2, values: Float64Array.from([2, 3, 4, 5]) });
  });

  test('a vector in rows; cells without values are NaN', () => {
    const plane = planeOf([5], [1, 2, 3, 4, NaN]);
    expect([plane.rows, plane.columns]).toEqual([2, 3]);
    expect([...plane.values]).toEqual([1, 2, 3, 4, NaN, NaN]);
  });

  test('large planes have means in their cells', () => {
    const plane = planeOf([32, 32], new Float64Array(1024).fill(2));
    expect([plane.rows, plane.columns]).toEqual([16, 16]);
    expect(plane.values.every((value) => value === 2)).toBe(true);
  });
});

describe('camera', () => {
  test('from the front: right is right, up is up, farther is smaller', () => {
    const front = { turn: 0, tilt: 0 };
    expect(project(front, 1, 1, 0)).toMatchObject({ x: 1, y: 1, depth: 0 });
    expect(project(front, 1, 0, 1).x).toBeLessThan(1);
    expect(project(front, 0, 0, 1).depth).toBe(1);
  });

  test('a quarter turn shows the side', () => {
    const side = project(turned({ turn: 0, tilt: 0 }, Math.PI / 2, 0), 0, 0, 1);
    expect(side.x).toBeCloseTo(-1);
    expect(side.depth).toBeCloseTo(0);
  });

  test('it does not tip over', () => {
    expect(turned(START, 0, 10).tilt).toBe(1.5);
    expect(turned(START, 0, -10).tilt).toBe(-1.5);
  });
});
