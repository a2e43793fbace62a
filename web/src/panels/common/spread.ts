// Mean and spread of values, and of lines at every place of them.

export interface Spread {
  count: number; // Values: runs without one are left out.
  mean: number;
  deviation: number; // Standard deviation of a sample; 0 of a single value.
  min: number;
  max: number;
}

// Null: no finite value.
export function spreadOf(values: Iterable<number | null>): Spread | null {
  let [count, mean, squares] = [0, 0, 0];
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    // Welford: sums of squares would cancel for values that are large and close together.
    count += 1;
    const delta = value - mean;
    mean += delta / count;
    squares += delta * (value - mean);
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  if (count === 0) return null;
  return { count, mean, deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : 0, min, max };
}

// Mean and spread at every place of several lines; null where no line has a value.
export function spreadLine(lines: readonly ArrayLike<number>[]): (Spread | null)[] {
  const length = Math.max(0, ...lines.map((line) => line.length));
  return Array.from({ length }, (_, i) => spreadOf(lines.map((line) => line[i] ?? null)));
}
