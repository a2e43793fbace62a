import { describe, expect, test } from 'vitest';
import { profileAxis } from './profile_axis';

const axisOf = (values: number[], log: boolean) =>
  profileAxis(Float32Array.from(values), log, 10, 110);

describe('a linear axis', () => {
  test('includes zero', () => {
    const { place, marks } = axisOf([5, 10], false);
    expect(place(0)).toBe(110);
    expect(place(10)).toBe(10);
    expect(marks).toContain(0);
    expect(axisOf([-10, -5], false).place(0)).toBe(10);
  });

  test('NaN and infinities have no place', () => {
    const { place } = axisOf([1, NaN, Infinity], false);
    expect(place(1)).toBe(10);
    expect([NaN, Infinity, -Infinity].map(place)).toEqual([NaN, NaN, NaN]);
  });

  test.each([[[]], [[0, 0]], [[NaN]]])('%j', (values) => {
    const { place, marks } = axisOf(values, false);
    expect(place(0)).toBe(110);
    expect(marks.length).toBeGreaterThan(1);
  });
});

describe('a log axis', () => {
  test('from power to power', () => {
    const { place, marks } = axisOf([0.02, 50], true);
    expect(marks).toEqual([0.01, 0.1, 1, 10, 100]);
    expect(place(0.01)).toBeCloseTo(110);
    expect(place(100)).toBeCloseTo(10);
  });

  test('zero and what is too small are at the bottom', () => {
    const { place, marks } = axisOf([0, 1e-35, 1], true);
    expect([0, -1, 1e-35].map(place)).toEqual([110, 110, 110]);
    expect(marks[0]).toBeCloseTo(1e-15, 20);
  });

  test('at most seven marks or so', () => {
    expect(axisOf([1e-14, 1], true).marks.length).toBeLessThanOrEqual(7);
  });

  test.each([[[]], [[0]], [[1]], [[5]], [[Infinity]]])('%j', (values) => {
    const { place, marks } = axisOf(values, true);
    expect(place(1)).not.toBeNaN();
    expect(marks.length).toBeGreaterThan(1);
    for (const mark of marks) expect(mark).toBeGreaterThan(0);
  });
});
