// Several runs as one series: the mean at every step, and a band of one standard deviation.

import { lowerBound, middle, type PlotSeries } from '../../plots/series_points';
import { spreadLine } from '../common/spread';

// Between its points a run is a straight line; before its first and after its last it has no value.
function valueAt(series: PlotSeries, x: number): number {
  const after = lowerBound(series.x, x);
  if (after >= series.x.length) return NaN;
  const at = series.x[after] as number;
  if (at === x) return middle(series, after);
  if (after === 0) return NaN;
  const before = series.x[after - 1] as number;
  const part = (x - before) / (at - before);
  const [from, to] = [middle(series, after - 1), middle(series, after)];
  return from + (to - from) * part;
}

// Null: no run has a value.
export function meanSeries(all: readonly PlotSeries[]): PlotSeries | null {
  const steps = [...new Set(all.flatMap(({ x }) => Array.from(x)))].sort((a, b) => a - b);
  const spreads = spreadLine(all.map((one) => steps.map((step) => valueAt(one, step))));
  const x: number[] = [];
  const [low, high, mean]: [number[], number[], number[]] = [[], [], []];
  spreads.forEach((spread, i) => {
    if (!spread) return;
    x.push(steps[i] as number);
    mean.push(spread.mean);
    low.push(spread.mean - spread.deviation);
    high.push(spread.mean + spread.deviation);
  });
  return x.length === 0 ? null : { name: `mean of ${all.length} runs`, x, low, high, mean };
}
