import { describe, expect, test } from 'vitest';
import { BROKEN, cssOf, makeRamp, rangeOf, shadeOf } from './ramp';

describe('place and value', () => {
  test('sequential', () => {
    const ramp = makeRamp('sequential', [10, 20], false);
    expect([10, 15, 20].map(ramp.place)).toEqual([0, 0.5, 1]);
    expect([0, 0.5, 1].map(ramp.value)).toEqual([10, 15, 20]);
  });

  test('diverging is symmetric around zero', () => {
    const ramp = makeRamp('diverging', [-1, 4], true);
    expect([-4, 0, 4].map(ramp.place)).toEqual([0, 0.5, 1]);
    expect(ramp.value(0)).toBe(-4);
  });

  test('log', () => {
    const ramp = makeRamp('log', [1e-4, 1], false);
    expect([1e-4, 1e-2, 1].map(ramp.place)).toEqual([0, 0.5, 1]);
    expect(ramp.value(0.5)).toBeCloseTo(1e-2);
  });

  test('zero and negative values are the lowest of a log ramp, NaN has no place', () => {
    const ramp = makeRamp('log', [1e-4, 1], false);
    expect([0, -5].map(ramp.place)).toEqual([0, 0]);
    expect(ramp.place(NaN)).toBeNaN();
  });

  test.each(['sequential', 'diverging', 'log'] as const)('an empty %s range', (kind) => {
    for (const range of [
      [0, 0],
      [3, 3],
    ] as const)
      expect(makeRamp(kind, range, false).place(range[0])).not.toBeNaN();
  });
});

describe('shades', () => {
  test('256, from the background to the far end', () => {
    const light = makeRamp('sequential', [0, 1], false);
    expect(light.shades).toHaveLength(256);
    expect(cssOf(shadeOf(light, 0))).toBe('rgb(239, 244, 250)');
    expect(cssOf(shadeOf(light, 1))).toBe('rgb(8, 34, 74)');
  });

  test('what is outside has the shade of the end', () => {
    const ramp = makeRamp('sequential', [0, 1], true);
    expect(shadeOf(ramp, -3)).toBe(shadeOf(ramp, 0));
    expect(shadeOf(ramp, 7)).toBe(shadeOf(ramp, 1));
    expect(shadeOf(ramp, Infinity)).toBe(shadeOf(ramp, 1));
  });

  test('no ramp contains the color of broken values', () => {
    for (const kind of ['sequential', 'diverging'] as const)
      for (const dark of [false, true])
        expect(makeRamp(kind, [0, 1], dark).shades).not.toContain(BROKEN);
  });

  test('the middle of a diverging ramp is neutral', () => {
    const middle = shadeOf(makeRamp('diverging', [-1, 1], false), 0.5);
    const parts = [middle & 255, (middle >> 8) & 255, (middle >> 16) & 255];
    expect(Math.max(...parts) - Math.min(...parts)).toBeLessThan(8);
  });
});

describe('rangeOf', () => {
  test.each([
    [[3, 1, 2], 'sequential', [1, 3]],
    [[NaN, -Infinity, 5, Infinity], 'sequential', [5, 5]],
    [[-1, 0, 1e-6, 2], 'log', [1e-6, 2]],
    [[], 'diverging', [0, 1]],
    [[NaN], 'sequential', [0, 1]],
    [[0, -1], 'log', [0, 1]],
  ] as const)('%j, %s', (values, kind, range) => {
    expect(rangeOf(values, kind)).toEqual(range);
  });
});
