import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../api/runs_for_test';
import { colourRange, columnOf, type Matrix, matrixOf, modelOrder, profileAt } from './matrix';

function answerOf(rows: string[], x: number[], values: number[], nans: number[] = []) {
  const header = { rows, steps: { first: 0, last: 99 } };
  return columnsOf(header, {
    x: Float64Array.from(x),
    values: Float32Array.from(values),
    nans: Uint8Array.from(nans),
  });
}

describe('modelOrder', () => {
  test('gradients in the order of their layers', () => {
    const rows = ['gradient/fc', 'gradient/conv', 'gradient/embed'];
    expect(modelOrder(rows, ['embed', 'conv', 'fc'])).toEqual([2, 1, 0]);
  });

  test('unchanged if there are no gradients, or layers are unknown', () => {
    expect(modelOrder(['b', 'a'], ['a', 'b'])).toEqual([0, 1]);
    expect(modelOrder(['gradient/b', 'gradient/a'], ['a'])).toEqual([0, 1]);
    expect(modelOrder([], [])).toEqual([]);
  });
});

describe('matrixOf', () => {
  test('rows are moved with their values and marks', () => {
    const answer = answerOf(['gradient/b', 'gradient/a'], [0, 1], [1, 2, 3, 4], [0, 0, 1, 0]);
    const matrix = matrixOf(answer, ['a', 'b']);
    expect(matrix.rows).toEqual(['gradient/a', 'gradient/b']);
    expect([...matrix.values]).toEqual([Infinity, 4, 1, 2]);
    expect(matrix).toMatchObject({ broken: 1, leftOut: 0, last: 99 });
  });

  test('infinities are broken, NaN is not measured', () => {
    const matrix = matrixOf(answerOf(['a'], [0, 1, 2, 3], [-Infinity, NaN, Infinity, 5]), []);
    expect([...matrix.values]).toEqual([Infinity, NaN, Infinity, 5]);
    expect(matrix.broken).toBe(2);
  });

  test('nothing', () => {
    const matrix = matrixOf(
      columnsOf({ rows: [], steps: { first: null, last: null }, left_out: 3 }),
      [],
    );
    expect(matrix).toMatchObject({ rows: [], short: [], broken: 0, leftOut: 3, last: 0 });
  });
});

describe('columnOf', () => {
  const at = (x: number[], step: number): number => columnOf({ x } as unknown as Matrix, step);

  test.each([
    [-5, 0],
    [0, 0],
    [9, 0],
    [10, 1],
    [1e9, 2],
  ])('step %i: %i', (step, column) => {
    expect(at([0, 10, 20], step)).toBe(column);
  });

  test('nothing', () => {
    expect(at([], 5)).toBe(-1);
  });
});

test('profileAt', () => {
  const matrix = matrixOf(answerOf(['a', 'b'], [0, 1], [1, 2, 3, 4]), []);
  expect([...profileAt(matrix, 1)]).toEqual([2, 4]);
});

describe('colourRange', () => {
  const range = (values: number[], ramp: 'log' | 'diverging' | 'sequential', share = false) =>
    colourRange(Float32Array.from(values), ramp, share);

  test.each([
    [[3, -1, NaN, Infinity], 'diverging', [-1, 3]],
    [[0, -1, 0.5, 8], 'log', [0.5, 8]],
    [[], 'sequential', [0, 1]],
    [[NaN, Infinity], 'log', [0, 1]],
    [[7], 'sequential', [7, 7]],
  ] as const)('%j, %s', (values, ramp, expected) => {
    expect(range([...values], ramp)).toEqual(expected);
  });

  test('shares are always from 0 to 1', () => {
    expect(range([0.2, 0.3], 'sequential', true)).toEqual([0, 1]);
  });

  test('a value close to zero does not use up the log scale', () => {
    const [low, high] = range([1e-30, 1], 'log');
    expect(high).toBe(1);
    expect(low).toBeCloseTo(1e-12, 20);
  });
});
