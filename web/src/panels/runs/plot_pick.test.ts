import { expect, test } from 'vitest';
import { nearestLine, nearestPoint, nextOn } from './plot_pick';

const LINES = [
  [0, 1, 0.5],
  [1, 0, null],
  [0.4, 0.4, 0.4],
];

test.each([
  [0, 0.1, 0],
  [0.5, 0.5, 1], // Where two cross, the later one, which is drawn above.
  [0.5, 0.42, 2],
  [1, 0.95, 0],
  [1.5, 0.8, 0],
  [1.5, 0.1, -1], // The line that would be there ends before.
  [2, 0.42, 2],
  [0.5, 0.9, -1],
])('the line at %d, %d: %i', (x, y, line) => {
  expect(nearestLine(LINES, x, y, 0.2)).toBe(line);
});

test('the nearest point, by pixels', () => {
  const points = [
    [0, 0],
    [0.5, 0.5],
    [null, 0.5],
  ];
  expect(nearestPoint(points, [0.45, 0.5], [200, 100], 12)).toBe(1);
  expect(nearestPoint(points, [0.4, 0.5], [200, 100], 12)).toBe(-1);
  expect(nearestPoint([], [0, 0], [200, 100], 12)).toBe(-1);
});

test('from run to run along an axis', () => {
  expect([0, 2, 1].map((from) => nextOn(LINES, 0, from, 1))).toEqual([2, 1, 1]);
  expect(nextOn(LINES, 0, 2, -1)).toBe(0);
  expect(nextOn(LINES, 0, -1, 1)).toBe(0);
  expect(nextOn(LINES, 0, -1, -1)).toBe(1);
  expect(nextOn(LINES, 2, 1, 1)).toBe(2); // The run from which it came is not on the axis.
  expect(nextOn([[null]], 0, -1, 1)).toBe(-1);
});
