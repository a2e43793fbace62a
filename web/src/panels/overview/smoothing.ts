// The exponential moving average of a series. The band shows what was smoothed away.

import { middle, type PlotSeries } from '../../plots/series_points';

// weight: of the past, from 0 (none) to below 1. Values that are not finite are left out of the
// average and stay as they are. The average has no bias towards its start.
export function smoothed(series: PlotSeries, weight: number): PlotSeries {
  if (!(weight > 0 && weight < 1)) return series;
  const count = series.x.length;
  const [mean, low, high] = [
    new Float64Array(count),
    new Float64Array(count),
    new Float64Array(count),
  ];
  let [sum, norm] = [0, 0];
  for (let i = 0; i < count; ++i) {
    const value = middle(series, i);
    if (Number.isFinite(value)) {
      sum = weight * sum + (1 - weight) * value;
      norm = weight * norm + (1 - weight);
    }
    mean[i] = Number.isFinite(value) ? sum / norm : value;
    low[i] = Math.min(series.low[i] as number, mean[i] as number);
    high[i] = Math.max(series.high[i] as number, mean[i] as number);
  }
  return { ...series, mean, low, high };
}
