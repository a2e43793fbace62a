// The y axis that fits the visible data.

import type { Range } from './axes';
import type { PlotOptions } from './plot_options';
import { usualBounds } from './outliers';
import { bounds, type PlotSeries } from './series_points';

// Thresholds are always visible. The axis starts at zero if the data starts close to it.
function aroundData(shown: readonly PlotSeries[], window: Range, options: PlotOptions): Range {
  const log = options.log ?? false;
  const found = options.clip ? usualBounds(shown, window, log) : bounds(shown, window, log);
  let [low, high] = found ?? (log ? [0.1, 10] : [0, 1]);
  for (const { y } of options.thresholds ?? []) {
    if (!Number.isFinite(y) || (log && y <= 0)) continue;
    [low, high] = [Math.min(low, y), Math.max(high, y)];
  }
  if (log) return [low / 1.3, high * 1.3];
  const slack = high > low ? (high - low) * 0.06 : Math.abs(high) * 0.1 || 1;
  return [low >= 0 && low < high * 0.5 ? 0 : low - slack, high + slack];
}

export function yRange(shown: readonly PlotSeries[], window: Range, options: PlotOptions): Range {
  const [least, most] = aroundData(shown, window, options);
  const [bottom, top] = options.y ?? [null, null];
  let [low, high] = [bottom ?? least, top ?? most];
  // Ranges too small for floating point would hang an axis.
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (!(high - low > size * 1e-12))
    [low, high] = [low - (size * 1e-6 || 1), high + (size * 1e-6 || 1)];
  return Number.isFinite(high - low) ? [low, high] : [-1e300, 1e300];
}
