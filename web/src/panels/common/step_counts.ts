// How the training counts: optimizer steps and epochs, as functions of the step of the run. Both
// never fall, so that they can be an axis.

import type { Column } from '../../api/columns';

export interface StepCount {
  readonly steps: readonly number[]; // Rising.
  readonly counts: readonly number[]; // Rising.
}

// Between points in proportion, before the first and after the last as there.
function along(from: readonly number[], to: readonly number[], value: number): number {
  let [low, high] = [0, from.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return to[0] ?? value;
  if (low === from.length) return to[to.length - 1] as number;
  const [a, b] = [from[low - 1] as number, from[low] as number];
  const [p, q] = [to[low - 1] as number, to[low] as number];
  return p + ((value - a) / (b - a)) * (q - p);
}

export const countAt = ({ steps, counts }: StepCount, step: number): number =>
  along(steps, counts, step);
export const stepAt = ({ steps, counts }: StepCount, count: number): number =>
  along(counts, steps, count);

// Points that do not rise are left out: a training that was restarted counts again.
function rising(steps: Column, counts: Column): StepCount {
  const found: { steps: number[]; counts: number[] } = { steps: [], counts: [] };
  let last = -Infinity;
  for (let i = 0; i < steps.length; ++i) {
    const count = counts[i] ?? NaN;
    if (!(count > last)) continue;
    last = count;
    found.steps.push(steps[i] as number);
    found.counts.push(count);
  }
  return found;
}

// Null: there is nothing to count with.
export function optimizerCount(steps: Column, counts: Column): StepCount | null {
  const found = rising(steps, counts);
  return found.steps.length > 1 ? found : null;
}

// 2.5 is the middle of the second epoch. The last is as long as the one before, or longer if it
// has been. Null with fewer than two: nobody knows how long one is.
export function epochCount(steps: Column, epochs: Column): StepCount | null {
  const starts = rising(steps, epochs);
  const count = starts.steps.length;
  if (count < 2) return null;
  const [before, last] = [starts.steps[count - 2] as number, starts.steps[count - 1] as number];
  const end = Math.max(2 * last - before, (steps[steps.length - 1] ?? last) + 1);
  return {
    steps: [...starts.steps, end],
    counts: [...starts.counts, (starts.counts[count - 1] as number) + 1],
  };
}
