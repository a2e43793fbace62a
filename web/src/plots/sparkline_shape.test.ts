import { describe, expect, test } from 'vitest';
import { linear } from '../base/scale';
import { dots, HEIGHT, MARGIN, path, spanOf, verticalScale } from './sparkline_shape';

const seriesOf = (low: number[], high = low) => ({ name: '', x: low.map((_, i) => i), low, high });

describe('spanOf', () => {
  test('finite values and the threshold', () => {
    expect(spanOf(seriesOf([1, NaN, -Infinity], [2, 5, Infinity]), 9)).toEqual({ low: 1, high: 9 });
    expect(spanOf(seriesOf([1]), undefined)).toEqual({ low: 1, high: 1 });
    expect(spanOf(seriesOf([1]), Infinity)).toEqual({ low: 1, high: 1 });
  });

  test('a threshold alone is not a curve', () => {
    expect(spanOf(seriesOf([]), 5)).toBeNull();
    expect(spanOf(seriesOf([NaN]), 5)).toBeNull();
  });
});

describe('verticalScale', () => {
  const [bottom, top] = [HEIGHT - MARGIN, MARGIN];

  test('from bottom to top', () => {
    const up = verticalScale({ low: -1, high: 1 });
    expect([up(-1), up(0), up(1)]).toEqual([bottom, HEIGHT / 2, top]);
  });

  test('by powers if they differ much', () => {
    const up = verticalScale({ low: 1e-8, high: 1 });
    expect(up(1e-4)).toBeCloseTo(HEIGHT / 2);
    expect(verticalScale({ low: 0, high: 1 })(0.5)).toBeCloseTo(HEIGHT / 2);
  });

  test.each([0, 3, -3, 1e-300, 1e20, -1e300])('the constant %f is in the middle', (value) => {
    expect(verticalScale({ low: value, high: value })(value)).toBeCloseTo(HEIGHT / 2);
  });
});

describe('path', () => {
  const same = linear(0, 100, 0, 100);

  test('a line', () => {
    expect(path([0, 1, 2], [5, 6, 7], same, same)).toBe('M0.0 5.0L1.0 6.0L2.0 7.0');
  });

  test('gaps', () => {
    const y = [1, 2, NaN, 3, 4, Infinity];
    expect(path([0, 1, 2, 3, 4, 5], y, same, same)).toBe('M0.0 1.0L1.0 2.0M3.0 3.0L4.0 4.0');
  });

  test('a single value is a dot', () => {
    expect(dots([3], [4], same, same)).toBe('M3.0 4.0h0');
    expect(dots([1, 2, 3], [NaN, 4, NaN], same, same)).toBe('M2.0 4.0h0');
    expect(dots([1, 2, 3, 4], [3, 4, NaN, 7], same, same)).toBe('M4.0 7.0h0');
    expect(dots([1, 2], [3, 4], same, same)).toBe('');
  });

  test('nothing', () => {
    expect(path([], [], same, same)).toBe('');
    expect(path([1], [], same, same)).toBe('');
  });
});
