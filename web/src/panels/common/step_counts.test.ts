import { describe, expect, test } from 'vitest';
import { countAt, epochCount, optimizerCount, stepAt, type StepCount } from './step_counts';

const some = (count: StepCount | null): StepCount => {
  if (!count) throw new Error('no count');
  return count;
};

describe('optimizer steps', () => {
  // Every second step of the run; step 4 evaluates.
  const count = some(optimizerCount(Float64Array.of(1, 3, 6, 8), Float64Array.of(1, 2, 3, 4)));
  test.each([
    [0, 1],
    [1, 1],
    [2, 1.5],
    [3, 2],
    [8, 4],
    [99, 4],
  ])('step %i is optimizer step %f', (step, steps) => {
    expect(countAt(count, step)).toBe(steps);
  });

  test.each([1, 2, 3, 6, 7, 8])('step %i is found again', (step) => {
    expect(stepAt(count, countAt(count, step))).toBeCloseTo(step);
  });

  test('counts that begin again are left out', () => {
    const again = optimizerCount(Float64Array.of(0, 1, 2, 3, 4), Float64Array.of(1, 2, 1, 2, 3));
    expect(again).toEqual({ steps: [0, 1, 4], counts: [1, 2, 3] });
  });

  test.each([
    [[], []],
    [[3], [1]],
    [
      [3, 4],
      [1, 1],
    ],
    [
      [3, 4],
      [NaN, NaN],
    ],
  ])('%j has none', (steps, counts) => {
    expect(optimizerCount(Float64Array.from(steps), Float64Array.from(counts))).toBeNull();
  });
});

describe('epochs', () => {
  const steps = Float64Array.from({ length: 25 }, (_, i) => i);
  const count = some(
    epochCount(
      steps,
      steps.map((i) => 1 + Math.floor(i / 10)),
    ),
  );
  test.each([
    [0, 1],
    [5, 1.5],
    [10, 2],
    [25, 3.5],
    [30, 4],
  ])('step %i is at %f', (step, epoch) => {
    expect(countAt(count, step)).toBeCloseTo(epoch);
  });

  test('a last epoch that takes longer ends later', () => {
    const long = some(
      epochCount(
        steps,
        steps.map((i) => (i < 5 ? 1 : 2)),
      ),
    );
    expect(countAt(long, 25)).toBe(3);
    expect(countAt(long, 15)).toBe(2.5);
  });

  test('one epoch cannot be an axis', () => {
    expect(
      epochCount(
        steps,
        steps.map(() => 1),
      ),
    ).toBeNull();
  });
});
