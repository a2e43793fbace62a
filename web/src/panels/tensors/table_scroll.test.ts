import { describe, expect, test } from 'vitest';
import { itemsIn, MOST, scrolledTo } from './table_scroll';

const SIZE = 26;

describe('itemsIn', () => {
  test.each([
    [0, 260, 100, [0, 11]],
    [13, 260, 100, [0, 11]],
    [260, 260, 100, [10, 21]],
    [2340, 260, 100, [90, 100]],
    [0, 260, 3, [0, 3]],
    [0, 260, 0, [0, 0]],
    [99_999, 260, 100, [99, 100]],
  ])('scrolled %i pixels, %i visible, %i items', (scrolled, seen, count, items) => {
    expect(itemsIn(scrolled, seen, count, SIZE)).toEqual(items);
  });

  test('both ends of a billion can be reached', () => {
    const [seen, count] = [260, 1e9];
    expect(itemsIn(0, seen, count, SIZE)[0]).toBe(0);
    expect(itemsIn(MOST - seen, seen, count, SIZE)[1]).toBe(count);
  });
});

describe('scrolledTo', () => {
  test('as little as possible', () => {
    expect(scrolledTo(0, 5, 100, SIZE, 260)).toBe(0);
    expect(scrolledTo(0, 10, 100, SIZE, 260)).toBe(SIZE);
    expect(scrolledTo(500, 3, 100, SIZE, 260)).toBe(3 * SIZE);
  });

  test.each([0, 1, 12_345, 999_999_998, 999_999_999])('item %i of a billion is visible', (at) => {
    const [seen, count] = [260, 1e9];
    const scrolled = Math.min(MOST - seen, scrolledTo(0, at, count, SIZE, seen));
    const [first, end] = itemsIn(scrolled, seen, count, SIZE);
    expect(at).toBeGreaterThanOrEqual(first);
    expect(at).toBeLessThan(end);
  });
});
