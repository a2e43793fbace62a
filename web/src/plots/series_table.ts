// The values of a plot as a table, for screen readers and for copying.

import { html } from '../base/dom';
import { type Range, xText } from './axes';
import { pointText } from './series_legend';
import { lowerBound, nearest, type PlotSeries } from './series_points';

const MOST_ROWS = 200;

// Every x with a value, or an even sample if there are many.
export function places(all: readonly PlotSeries[], [from, to]: Range): number[] {
  const found = new Set<number>();
  for (const { x } of all) {
    const [first, last] = [lowerBound(x, from), lowerBound(x, to + Number.EPSILON * Math.abs(to))];
    const stride = Math.max(1, Math.ceil((last - first) / MOST_ROWS));
    for (let i = first; i < Math.min(x.length, last + 1) && (x[i] as number) <= to; i += stride)
      found.add(x[i] as number);
  }
  const sorted = [...found].sort((a, b) => a - b);
  const stride = Math.max(1, Math.ceil(sorted.length / MOST_ROWS));
  return sorted.filter((_, i) => i % stride === 0);
}

export function seriesTable(
  label: string,
  all: readonly PlotSeries[],
  window: Range,
  look: { unit: string; time: boolean; xLabel: string },
): HTMLElement {
  const head = html(
    'tr',
    {},
    html('th', { scope: 'col' }, look.xLabel || (look.time ? 'Time' : 'Step')),
  );
  for (const { name } of all) head.append(html('th', { scope: 'col', class: 'number' }, name));
  const body = html('tbody');
  const at = places(all, window);
  for (const x of at) {
    const row = html('tr', {}, html('th', { scope: 'row' }, xText(x, look.time)));
    for (const series of all) {
      const i = nearest(series, x);
      const here = i >= 0 && series.x[i] === x;
      row.append(html('td', { class: 'number' }, here ? pointText(series, i, look.unit) : ''));
    }
    body.append(row);
  }
  const caption = html(
    'caption',
    {},
    `${label}: ${at.length === 0 ? 'no data' : `${at.length} points`}`,
  );
  const table = html('table', {}, caption, html('thead', {}, head), body);
  return html(
    'div',
    { class: 'plot-table', tabindex: 0, role: 'group', 'aria-label': `${label}, as a table` },
    table,
  );
}
