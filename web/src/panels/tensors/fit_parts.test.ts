import { describe, expect, test } from 'vitest';
import { fitParts } from './fit_parts';
import { axesOf, elementsOf, partsFor, type View } from './slices';

function fitted(shape: number[], view: View, slice = '') {
  const parts = partsFor(slice, shape, view) ?? [];
  const every = fitParts(parts, shape, view, 64);
  return { every, parts, count: elementsOf(axesOf(parts, shape)) };
}

describe('fitParts', () => {
  test('what is small stays', () => {
    expect(fitted([10, 20], 'image')).toEqual({ every: 1, parts: [':', ':'], count: 200 });
    expect(fitted([], 'table')).toMatchObject({ every: 1, parts: [] });
  });

  test('tables are never thinned: they are loaded in blocks', () => {
    expect(fitted([10_000, 10_000], 'table').every).toBe(1);
  });

  test.each([
    [[1e7], 'line'],
    [[5000, 5000], 'image'],
    [[512, 2000, 2000], 'channels'],
    [[2000, 2000, 512], 'channels-last'],
    [[500, 3, 1000, 1000], 'images'],
    [[500, 1000, 1000, 3], 'images-last'],
  ] as [number[], View][])('%j as %s is reduced to a million values', (shape, view) => {
    const { every, count } = fitted(shape, view);
    expect(every).toBeGreaterThan(1);
    expect(count).toBeLessThanOrEqual(1 << 20);
    expect(count).toBeGreaterThan(1 << 17);
  });

  test('the first images of many, unless the reader chose others', () => {
    expect(fitted([512, 8, 8], 'channels').parts).toEqual(['0:64', ':', ':']);
    expect(fitted([8, 8, 512], 'channels-last').parts).toEqual([':', ':', '0:64']);
    expect(fitted([512, 8, 8], 'channels', '100:300').parts).toEqual(['100:300', ':', ':']);
    expect(fitted([64, 8, 8], 'channels').parts).toEqual([':', ':', ':']);
  });

  test('colors of an image are all there', () => {
    expect(fitted([500, 1000, 1000, 3], 'images-last').parts[3]).toBe(':');
    expect(fitted([500, 3, 1000, 1000], 'images').parts[1]).toBe(':');
  });
});
