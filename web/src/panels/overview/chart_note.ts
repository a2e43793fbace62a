// What is said below a chart that has no curve yet.

import type { PlotSeries } from '../../plots/series_plot';

// where: names an x, as in "step 0". '' for charts with a curve, or without data.
export function chartNote(
  series: readonly Pick<PlotSeries, 'x'>[],
  where: (x: number) => string,
): string {
  const places = new Set(series.flatMap(({ x }) => Array.from(x.length < 2 ? x : [])));
  const [first] = places;
  const curve = series.some(({ x }) => x.length > 1);
  if (curve || places.size !== 1 || first === undefined) return '';
  return `Only ${where(first)} was saved. A curve appears with the next saved step; save_interval decides when that is.`;
}
