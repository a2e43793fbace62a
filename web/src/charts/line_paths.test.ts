import { describe, expect, test } from 'vitest';
import { linear } from '../base/scale';
import { bandPath, linePath } from './line_paths';

const Y = linear(0, 10, 100, 0);
const x = (i: number): number => i * 10;

describe('linePath', () => {
  test('a line', () => {
    expect(linePath([0, 5, 10], x, Y)).toBe('M0.0 100.0L10.0 50.0L20.0 0.0');
  });

  test('gaps', () => {
    const path = linePath([null, 0, 5, null, null, 10, 10], x, Y);
    expect(path).toBe('M10.0 100.0L20.0 50.0M50.0 0.0L60.0 0.0');
  });

  test('a value between two gaps is a short stroke', () => {
    expect(linePath([0], x, Y)).toBe('M0.0 100.0h1');
    expect(linePath([0, null, 5], x, Y)).toBe('M0.0 100.0h1M20.0 50.0h1');
  });

  test('nothing', () => {
    expect(linePath([], x, Y)).toBe('');
    expect(linePath([null, null], x, Y)).toBe('');
  });
});

describe('bandPath', () => {
  test('along the maxima, back along the minima', () => {
    expect(bandPath([0, 5], [5, 10], x, Y)).toBe('M0.0 50.0L10.0 0.0L10.0 50.0L0.0 100.0Z');
  });

  test('a gap in either splits it; single points have no area', () => {
    expect(bandPath([0, 0, null, 0, 0], [1, 1, 1, null, 1], x, Y)).toBe(
      bandPath([0, 0], [1, 1], x, Y),
    );
  });

  test('columns of different length', () => {
    expect(bandPath([], [1, 1], x, Y)).toBe('');
    expect(bandPath([], [], x, Y)).toBe('');
  });
});
