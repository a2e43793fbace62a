import { describe, expect, test } from 'vitest';
import {
  axesOf,
  axisOf,
  elementsOf,
  partsFor,
  partsOf,
  shownAxes,
  sliceText,
  thinned,
  troubleOf,
  usualView,
  viewsOf,
} from './slices';

describe('partsOf', () => {
  test.each([
    ['', 2, [':', ':']],
    ['  ', 1, [':']],
    ['', 0, []],
    ['0', 3, ['0', ':', ':']],
    ['-1, 2:5', 3, ['-1', '2:5', ':']],
    ['...,3', 3, [':', ':', '3']],
    ['1,...,2', 4, ['1', ':', ':', '2']],
    ['...', 0, []],
    ['1,...', 1, ['1']],
    ['::-1', 1, ['::-1']],
    ['5:2:-1', 1, ['5:2:-1']],
  ])('%j, rank %i', (slice, rank, parts) => {
    expect(partsOf(slice, rank)).toEqual(parts);
  });

  test.each([
    ['0,1', 1],
    ['...,...', 3],
    ['0,,1', 3],
    ['a', 1],
    ['1.5', 1],
    ['1:2:3:4', 1],
    ['--1', 1],
    ['0x1', 1],
    ['1 2', 1],
    ['0', 0],
  ])('%j, rank %i is invalid', (slice, rank) => {
    expect(partsOf(slice, rank)).toBeNull();
  });
});

describe('axisOf', () => {
  // What Python selects from range(size).
  const indices = (part: string, size: number): number[] => {
    const { start, step, length } = axisOf(part, size);
    return Array.from({ length }, (_, i) => start + i * step);
  };

  test.each([
    [':', 4, [0, 1, 2, 3]],
    ['1:3', 4, [1, 2]],
    ['-2:', 4, [2, 3]],
    [':-1', 4, [0, 1, 2]],
    ['::2', 5, [0, 2, 4]],
    ['1::2', 5, [1, 3]],
    ['::-1', 4, [3, 2, 1, 0]],
    ['3:0:-1', 4, [3, 2, 1]],
    ['-1:-4:-2', 4, [3, 1]],
    ['10:', 4, []],
    [':10', 4, [0, 1, 2, 3]],
    ['-10:2', 4, [0, 1]],
    ['10:-10:-1', 4, [3, 2, 1, 0]],
    ['3:1', 4, []],
    ['1:3:-1', 4, []],
    ['::0', 4, []],
    [':', 0, []],
    ['::-1', 0, []],
  ])('%s of %i', (part, size, expected) => {
    expect(indices(part, size)).toEqual(expected);
    expect(axisOf(part, size).single).toBe(false);
  });

  test('a single index, also from the end and out of range', () => {
    expect([0, 3, -1, -4, 9, -9].map((at) => axisOf(String(at), 4).start)).toEqual([
      0, 3, 3, 0, 3, 0,
    ]);
    expect(axisOf('2', 4)).toMatchObject({ length: 1, single: true });
    expect(axisOf('0', 0).start).toBe(0);
  });
});

describe('views', () => {
  test.each([
    [[], 'table'],
    [[16], 'table'],
    [[17], 'line'],
    [[8, 8], 'table'],
    [[9, 8], 'image'],
    [[1, 500], 'table'],
    [[3, 32, 32], 'channels'],
    [[8, 3, 32, 32], 'images'],
    [[8, 32, 32, 3], 'images-last'],
    [[64, 3, 7, 7], 'channels'],
    [[8, 16, 32, 32], 'channels'],
  ])('%j is first shown as %s', (shape, view) => {
    expect(usualView(shape)).toBe(view);
    expect(viewsOf(shape)).toContain(view);
  });

  test('all that suit a shape', () => {
    expect(viewsOf([])).toEqual(['table']);
    expect(viewsOf([2, 3])).toEqual(['table', 'line', 'image']);
    expect(viewsOf([2, 3, 4, 1])).toEqual([
      'table',
      'line',
      'image',
      'channels',
      'channels-last',
      'images',
      'images-last',
    ]);
    expect(viewsOf([2, 5, 4, 7])).not.toContain('images');
  });

  test('a view never shows more axes than there are', () => {
    expect(shownAxes('images', 2)).toBe(2);
    expect(shownAxes('table', 5)).toBe(2);
  });
});

describe('partsFor', () => {
  test('leading axes are single indices', () => {
    expect(partsFor('', [4, 5, 6], 'image')).toEqual(['0', ':', ':']);
    expect(partsFor('-1', [4, 5, 6], 'image')).toEqual(['3', ':', ':']);
    expect(partsFor('2:,1:3', [4, 5, 6], 'line')).toEqual(['2', '1', ':']);
    expect(partsFor('', [], 'table')).toEqual([]);
  });

  test('an invalid slice', () => {
    expect(partsFor('x', [4], 'line')).toBeNull();
  });
});

describe('troubleOf', () => {
  test.each(['', '3', '-4', '0:99', '...'])('%j is fine', (slice) => {
    expect(troubleOf(slice, [4])).toBe('');
  });

  test('says what is wrong', () => {
    expect(troubleOf('1,7', [2, 3])).toBe('slice: index 7 is out of range for axis 1 of size 3');
    expect(troubleOf('-5', [4])).toContain('index -5 is out of range');
    expect(troubleOf('0', [0])).toContain('out of range');
    expect(troubleOf('x', [4])).toContain("slice is 'x'; expected one NumPy index or range");
  });
});

describe('thinned', () => {
  const thin = (parts: string[], shape: number[], axes: number[], most: number) => {
    const every = thinned(parts, shape, axes, most);
    return { every, parts, count: elementsOf(axesOf(parts, shape)) };
  };

  test('what fits stays', () => {
    expect(thin([':', ':'], [10, 10], [0, 1], 100)).toEqual({
      every: 1,
      parts: [':', ':'],
      count: 100,
    });
  });

  test('every n-th of both axes', () => {
    expect(thin([':', ':'], [1000, 1000], [0, 1], 100_000)).toEqual({
      every: 4,
      parts: ['0:1000:4', '0:1000:4'],
      count: 62500,
    });
  });

  test('keeps start and direction', () => {
    expect(thin(['100:200'], [1000], [0], 50).parts).toEqual(['100:200:2']);
    const back = thin(['::-1'], [1000], [0], 100);
    expect(back).toMatchObject({ every: 16, count: 63 });
    expect(axisOf(back.parts[0] ?? '', 1000)).toMatchObject({ start: 999, step: -16 });
    const inner = thin(['900:100:-1'], [1000], [0], 500);
    expect(inner.parts).toEqual(['900:100:-2']);
  });

  test('ends where nothing can be thinned', () => {
    expect(thin(['0', ':'], [5, 1000], [0], 10)).toEqual({
      every: 1,
      parts: ['0', ':'],
      count: 1000,
    });
    expect(thin([':', ':'], [1, 1000], [0], 10).every).toBe(1);
  });
});

test('sliceText leaves trailing whole axes out', () => {
  expect(sliceText(['0', ':', '1:2', ':', ':'])).toBe('0,:,1:2');
  expect(sliceText([':', ':'])).toBe('');
  expect(sliceText([])).toBe('');
});
