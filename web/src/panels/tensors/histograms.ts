// Histograms of a tensor, one for each step.

import { ticks } from '../../base/scale';
import { tickWriter } from '../../base/tick_text';

export interface Histograms {
  readonly steps: ArrayLike<number>;
  readonly edges: ArrayLike<number>; // One more than there are bins.
  readonly counts: ArrayLike<number>; // Step by step.
}

// Edges can be unevenly spaced (values can span many powers of ten): bins are drawn equally wide
// and labeled.
export function marksOf(edges: ArrayLike<number>, most: number): { bin: number; label: string }[] {
  const bins = edges.length - 1;
  const [first, second, last] = [edges[0] ?? 0, edges[1] ?? 1, edges[bins] ?? 1];
  const even = Math.abs((second - first) * bins - (last - first)) < Math.abs(last - first) * 1e-6;
  if (even && last > first) {
    const at = ticks(first, last, most);
    const write = tickWriter(at);
    return at.map((value) => ({
      bin: ((value - first) / (last - first)) * bins,
      label: write(value),
    }));
  }
  const every = Math.max(1, Math.ceil(bins / most));
  const at = Array.from(
    { length: Math.floor(bins / every) + 1 },
    (_, i) => edges[i * every] ?? NaN,
  );
  const write = tickWriter(at);
  return at.map((value, i) => ({ bin: i * every, label: write(value) }));
}

// The bin with the most values, the first of several.
export function peakOf({ edges, counts }: Histograms, row: number): number {
  const bins = edges.length - 1;
  let most = 0;
  for (let bin = 1; bin < bins; ++bin)
    if ((counts[row * bins + bin] ?? 0) > (counts[row * bins + most] ?? 0)) most = bin;
  return most;
}

// The percentage of the values in each bin, one row per bin, the largest values at the top.
export function sharesOf({ steps, edges, counts }: Histograms): {
  rows: string[];
  shares: Float32Array;
} {
  const bins = Math.max(0, edges.length - 1);
  const shares = new Float32Array(bins * steps.length);
  for (let step = 0; step < steps.length; ++step) {
    let all = 0;
    for (let bin = 0; bin < bins; ++bin) all += counts[step * bins + bin] ?? 0;
    for (let bin = 0; bin < bins; ++bin) {
      const count = counts[step * bins + bin] ?? 0;
      shares[(bins - 1 - bin) * steps.length + step] = all > 0 ? (100 * count) / all : 0;
    }
  }
  const write = tickWriter(Array.from(edges));
  const rows = Array.from(
    { length: bins },
    (_, i) => `${write(edges[bins - 1 - i] ?? NaN)} to ${write(edges[bins - i] ?? NaN)}`,
  );
  return { rows, shares };
}
