import { expect, test } from 'vitest';
import { nearestPoint } from './nearest_point';

const curve = (...points: [number, number][]): { points: [number, number][] } => ({ points });
const place = ([x, y]: [number, number]): { x: number; y: number } => ({ x: 10 * x, y: 10 * y });

test('the nearest point of all curves, on the screen', () => {
  const curves = [curve([0, 0], [1, 1]), curve([0, 1])];
  expect(nearestPoint(curves, place, { x: 1, y: 8 })).toEqual([0, 1]);
  expect(nearestPoint(curves, place, { x: 9, y: 7 })).toEqual([1, 1]);
  expect(nearestPoint([], place, { x: 0, y: 0 })).toBeNull();
});
