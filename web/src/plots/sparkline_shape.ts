// Where the points of a sparkline are.

import { linear, type Scale } from '../base/scale';
import type { PlotSeries } from './series_points';

export const WIDTH = 240;
export const HEIGHT = 40;
export const MARGIN = 3;
const LOG_FROM = 100; // Values that differ by this factor use a log scale.

export interface Span {
  low: number;
  high: number;
}

// Null: there are no finite values.
export function spanOf(series: PlotSeries, threshold: number | undefined): Span | null {
  let [low, high] = [Infinity, -Infinity];
  const see = (value: number | undefined): void => {
    if (value === undefined || !Number.isFinite(value)) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (let i = 0; i < series.x.length; ++i) {
    see(series.low[i]);
    see(series.high[i]);
  }
  if (low > high) return null;
  see(threshold);
  return { low, high };
}

export function verticalScale({ low, high }: Span): Scale {
  const byPowers = low > 0 && high / low >= LOG_FROM;
  const change = byPowers ? Math.log10 : (value: number): number => value;
  const [from, to] = [change(low), change(high)];
  // A constant is drawn in the middle.
  const slack = to > from ? 0 : Math.max(1, Math.abs(from) / 10);
  const line = linear(from - slack, to + slack, HEIGHT - MARGIN, MARGIN);
  return Object.assign((value: number) => line(change(value)), { invert: line.invert });
}

// With gaps where a value is not finite.
export function path(x: ArrayLike<number>, y: ArrayLike<number>, across: Scale, up: Scale): string {
  let drawn = '';
  let pen = 'M';
  for (let i = 0; i < x.length; ++i) {
    const value = y[i] ?? NaN;
    if (!Number.isFinite(value)) {
      pen = 'M';
      continue;
    }
    drawn += `${pen}${across(x[i] ?? 0).toFixed(1)} ${up(value).toFixed(1)}`;
    pen = 'L';
  }
  return drawn;
}

// Values between two gaps, or the only one: points that round ends make visible.
export function dots(x: ArrayLike<number>, y: ArrayLike<number>, across: Scale, up: Scale): string {
  let drawn = '';
  for (let i = 0; i < x.length; ++i) {
    if (!Number.isFinite(y[i]) || Number.isFinite(y[i - 1]) || Number.isFinite(y[i + 1])) continue;
    drawn += `M${across(x[i] ?? 0).toFixed(1)} ${up(y[i] ?? 0).toFixed(1)}h0`;
  }
  return drawn;
}
