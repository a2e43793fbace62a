import { describe, expect, test } from 'vitest';
import { projectionOf } from './projection';

const BOX = { left: 10, top: 20, width: 100, height: 200 };

describe('projectionOf', () => {
  test('the ends of the ranges are the edges of the box', () => {
    const { x, y } = projectionOf(BOX, [0, 50], [-1, 1], false);
    expect([x(0), x(25), x(50)]).toEqual([10, 60, 110]);
    expect([y(-1), y(0), y(1)]).toEqual([220, 120, 20]);
  });

  test('a log axis', () => {
    const { y } = projectionOf(BOX, [0, 1], [0.01, 100], true);
    expect([y(0.01), y(1), y(100)]).toEqual([220, 120, 20]);
  });

  test.each([0, -1, NaN, Infinity])('a log axis has no place for %f', (value) => {
    expect(projectionOf(BOX, [0, 1], [1, 10], true).y(value)).toBeNaN();
  });

  test.each([NaN, Infinity, -Infinity])('no axis has a place for %f', (value) => {
    expect(projectionOf(BOX, [0, 1], [0, 1], false).y(value)).toBeNaN();
  });

  test('far outside values are cut for the canvas', () => {
    const { x, y } = projectionOf(BOX, [0, 1e-9], [0, 1e-9], false);
    expect(x(1e9)).toBe(1e6);
    expect(x(-1e9)).toBe(-1e6);
    expect(y(1e300)).toBe(-1e6);
  });
});
