// What a chart draws of the runs: smoothed, or as their mean.

import type { PlotSeries } from '../../plots/series_points';
import type { ChartLook } from '../common/chart_look';
import type { Measured } from '../common/series';
import { averaged } from '../common/smoothing';
import { meanSeries } from './mean_series';

// hidden: names of series, which are no part of the mean.
export function drawnSeries(
  all: readonly Measured[],
  look: ChartLook,
  mean: boolean,
  hidden: readonly string[],
): PlotSeries[] {
  const shown = all.filter(({ name }) => !hidden.includes(name));
  const one = mean ? meanSeries(shown) : null;
  if (!one) return all.map((series) => averaged(series, look));
  const stepsPerPoint = Math.min(...shown.map((series) => series.stepsPerPoint));
  return [averaged({ ...one, stepsPerPoint }, look)];
}
