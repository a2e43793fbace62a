import { describe, expect, test } from 'vitest';
import { keyMoves, type Range, zoomOf } from './zoom_range';

const ALL: Range = [0, 100];

describe('zoomOf', () => {
  test.each([
    [20, 30, [20, 30]],
    [-20, 30, [0, 30]],
    [80, 300, [80, 100]],
    [0, 100, null],
    [-1, 101, null],
    [50, 50, undefined],
    [60, 50, undefined],
    [50, 50.0005, undefined],
    [200, 300, undefined],
    [NaN, 50, undefined],
  ])('%f to %f', (start, end, zoom) => {
    expect(zoomOf(ALL, start, end)).toEqual(zoom);
  });
});

describe('keyMoves', () => {
  const after = (range: Range, key: string): Range | null | undefined => {
    const move = keyMoves(range, ALL)[key];
    return move && zoomOf(ALL, ...move);
  };

  test('zoom around the middle', () => {
    expect(after([40, 60], '+')).toEqual([45, 55]);
    expect(after([40, 60], '-')).toEqual([30, 70]);
    expect(after([0, 80], '-')).toBeNull();
  });

  test('moving keeps the length, also at the ends', () => {
    expect(after([40, 60], 'ArrowLeft')).toEqual([35, 55]);
    expect(after([40, 60], 'ArrowRight')).toEqual([45, 65]);
    expect(after([2, 22], 'ArrowLeft')).toEqual([0, 20]);
    expect(after([79, 99], 'ArrowRight')).toEqual([80, 100]);
    expect(after(ALL, 'ArrowRight')).toBeNull();
  });

  test('Escape shows everything, other keys do nothing', () => {
    expect(after([40, 60], 'Escape')).toBeNull();
    expect(after([40, 60], 'x')).toBeUndefined();
  });
});
