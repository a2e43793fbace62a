// The range of y without outliers: a spike of the loss must not flatten everything else.

import type { Range } from './axes';
import { bounds, middle, type PlotSeries, within } from './series_points';

const SHARE = 0.02; // Of the values at each end that may be outliers.
const FEW = 20; // Fewer values have none.
const MOST = 2000; // Values that are sorted: this happens in every frame.

// As bounds(), but of the values between the 2nd and the 98th percentile, and what is as close to
// them as they are to each other.
export function usualBounds(all: readonly PlotSeries[], window: Range, log: boolean): Range | null {
  const whole = bounds(all, window, log);
  const values = sampled(all, window, log).sort();
  if (!whole || values.length < FEW) return whole;
  const at = (share: number): number => values[Math.round(share * (values.length - 1))] as number;
  const [low, high] = [at(SHARE), at(1 - SHARE)];
  const slack = (high - low) / 2;
  if (!(slack > 0)) return whole;
  return [low - whole[0] > slack ? low : whole[0], whole[1] - high > slack ? high : whole[1]];
}

function sampled(all: readonly PlotSeries[], window: Range, log: boolean): Float64Array {
  const parts = all.map((series) => ({ series, part: within(series, window) }));
  const count = parts.reduce((sum, { part: [from, to] }) => sum + to - from, 0);
  const stride = Math.max(1, Math.ceil(count / MOST));
  const values: number[] = [];
  for (const { series, part } of parts) {
    for (let i = part[0]; i < part[1]; i += stride) {
      const value = middle(series, i, log);
      if (Number.isFinite(value) && (!log || value > 0)) values.push(value);
    }
  }
  return Float64Array.from(values);
}
