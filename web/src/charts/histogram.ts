// Histograms as filled outlines, one per series, on top of each other.
//
// Data: {series: [{name, edges: [n + 1 numbers], percents: [n numbers], expected?: [n numbers]}]};
// series may have edges of their own; expected is a line for comparison.

import { svg } from '../base/dom';
import { figure } from '../base/format';
import { linear, ticks } from '../base/scale';
import { tickWriter } from '../base/tick_text';
import { colour, frame, hideTip, legend, type Place, showTip, xAxis, yAxis } from './chart';
import { binAt, expectation, outline, type Series } from './histogram_bins';

export interface HistogramData {
  series: Series[];
}

const HEIGHT = 240;

export function drawHistogram(data: HistogramData, place: Place): void {
  const shown = data.series
    .map((series, i) => ({ series, i }))
    .filter(({ i }) => !place.state.hidden.has(i));
  const edges = data.series.flatMap(({ edges: all }) => [all[0] ?? 0, all[all.length - 1] ?? 0]);
  if (edges.length === 0) return;
  let [from, to] = [Math.min(...edges), Math.max(...edges)];
  if (!(to > from)) [from, to] = [from - 0.5, from + 0.5];
  const heights = shown.flatMap(({ series }) => [...series.percents, ...(series.expected ?? [])]);
  const most = Math.max(1e-9, ...heights.map((percent) => percent ?? 0));
  const on = frame(place, HEIGHT, 44);
  const x = linear(from, to, on.left, on.right);
  const y = linear(0, most * 1.05, on.bottom, on.top);
  const shares = ticks(0, most * 1.05, 4);
  const share = tickWriter(shares);
  yAxis(on, y, shares, (value) => `${share(value)} %`);
  const at = ticks(from, to, Math.max(2, place.width / 90));
  xAxis(on, x, at, tickWriter(at), place.xLabel);
  for (const { series, i } of shown) {
    on.svg.append(svg('path', { class: `mark area ${colour(i)}`, d: outline(series, x, y) }));
    if (series.expected)
      on.svg.append(svg('path', { class: 'expected', d: expectation(series, x, y) }));
  }
  on.svg.addEventListener('mousemove', (event) => {
    const box = on.svg.getBoundingClientRect();
    const value = x.invert(((event.clientX - box.left) / box.width) * place.width);
    const lines = shown.flatMap(({ series }) => {
      const bin = binAt(series, value);
      if (bin < 0) return [];
      const range = `${figure(series.edges[bin] ?? 0)} to ${figure(series.edges[bin + 1] ?? 0)}`;
      return [`${series.name}: ${range}: ${figure(series.percents[bin] ?? 0)} %`];
    });
    if (lines.length > 0) showTip(event, lines);
    else hideTip();
  });
  on.svg.addEventListener('mouseleave', hideTip);
  legend(
    place,
    data.series.map((series) => series.name),
  );
}
