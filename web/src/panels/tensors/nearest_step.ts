// The index of the step nearest to another, the earlier of two; 0 if there are none.
export function nearestStep(steps: ArrayLike<number>, step: number): number {
  let best = 0;
  for (let i = 0; i < steps.length; ++i) {
    if (Math.abs((steps[i] ?? 0) - step) < Math.abs((steps[best] ?? 0) - step)) best = i;
  }
  return best;
}
