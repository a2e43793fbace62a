import { describe, expect, test } from 'vitest';
import { dropPlace, keyPlace, scrollBy } from './move_place';

// Two rows of three, with gaps.
const boxes = [0, 1, 2, 3, 4, 5].map((i) => ({
  left: (i % 3) * 110,
  top: Math.floor(i / 3) * 60,
  width: 100,
  height: 50,
}));

describe('dropPlace', () => {
  test.each([
    [50, 25, 0],
    [219, 10, 2],
    [330, 109, 5],
    [9999, 9999, 5],
    [-50, 80, 3],
  ])('%i, %i: %i', (x, y, place) => {
    expect(dropPlace(boxes, x, y)).toBe(place);
  });

  test('nothing', () => {
    expect(dropPlace([], 1, 1)).toBe(-1);
  });
});

test.each([
  ['ArrowLeft', 1, 0],
  ['ArrowUp', 0, 0],
  ['ArrowRight', 1, 2],
  ['ArrowDown', 3, 3],
  ['Home', 3, 0],
  ['End', 0, 3],
  ['a', 0, null],
])('%s from %i: %j', (key, from, to) => {
  expect(keyPlace(key, from, 4)).toBe(to);
});

test('near the edges the page scrolls, faster the nearer', () => {
  expect(scrollBy(400, 800)).toBe(0);
  expect(scrollBy(0, 800)).toBe(-18);
  expect(scrollBy(50, 800)).toBeGreaterThan(-5);
  expect(scrollBy(800, 800)).toBe(18);
  expect(scrollBy(900, 800)).toBe(18);
});
