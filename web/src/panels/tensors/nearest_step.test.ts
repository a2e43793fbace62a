import { expect, test } from 'vitest';
import { nearestStep } from './nearest_step';

test.each([
  [[0, 10, 20], -5, 0],
  [[0, 10, 20], 5, 0],
  [[0, 10, 20], 6, 1],
  [[0, 10, 20], 1e9, 2],
  [[7], 0, 0],
  [[], 5, 0],
])('%j, %i: %i', (steps, step, index) => {
  expect(nearestStep(steps, step)).toBe(index);
});
