// Averages of a series: an exponential one, or of a window. The band shows what was smoothed away.

import { middle, type PlotSeries } from '../../plots/series_points';
import type { ChartLook } from './chart_look';
import type { Measured } from './series';

// As the reader chose. The window is in saved steps, of which a point may cover several.
export function averaged(series: Measured, { smooth, window }: ChartLook): PlotSeries {
  return window > 0
    ? windowed(series, Math.round(window / series.stepsPerPoint))
    : smoothed(series, smooth);
}

// weight: of the past, from 0 (none) to below 1. Values that are not finite are left out of the
// average and stay as they are. The average has no bias towards its start.
export function smoothed(series: PlotSeries, weight: number): PlotSeries {
  if (!(weight > 0 && weight < 1)) return series;
  let [sum, norm] = [0, 0];
  return withMeans(series, (value) => {
    sum = weight * sum + (1 - weight) * value;
    norm = weight * norm + (1 - weight);
    return sum / norm;
  });
}

// points: the width of the window, of which the point is the middle. At the ends it is smaller.
export function windowed(series: PlotSeries, points: number): PlotSeries {
  const reach = Math.floor(points / 2);
  if (!(reach > 0)) return series;
  return withMeans(series, (_, i) => {
    let [sum, count] = [0, 0];
    const last = Math.min(series.x.length - 1, i + reach);
    for (let k = Math.max(0, i - reach); k <= last; ++k) {
      const value = middle(series, k);
      if (!Number.isFinite(value)) continue;
      sum += value;
      ++count;
    }
    return sum / count;
  });
}

// average: called for finite values only, in order.
function withMeans(series: PlotSeries, average: (value: number, i: number) => number): PlotSeries {
  const count = series.x.length;
  const [mean, low, high] = [
    new Float64Array(count),
    new Float64Array(count),
    new Float64Array(count),
  ];
  for (let i = 0; i < count; ++i) {
    const value = middle(series, i);
    mean[i] = Number.isFinite(value) ? average(value, i) : value;
    low[i] = Math.min(series.low[i] as number, mean[i] as number);
    high[i] = Math.max(series.high[i] as number, mean[i] as number);
  }
  return { ...series, mean, low, high };
}
