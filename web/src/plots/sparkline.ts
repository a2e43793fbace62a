// A small curve: how a value developed, where it crossed its threshold, which step is marked.

import './sparkline.css';
import { html, svg } from '../base/dom';
import { figure } from '../base/format';
import { linear } from '../base/scale';
import type { PlotSeries } from './series_points';
import { dots, HEIGHT, MARGIN, path, spanOf, verticalScale, WIDTH } from './sparkline_shape';

export interface SparklineOptions {
  threshold?: number;
  mark?: number; // The marked x.
  label: string; // Description for screen readers.
}

const still = { 'vector-effect': 'non-scaling-stroke' };

// Replaces the contents of `into`. A series without finite values becomes a sentence.
export function sparkline(into: HTMLElement, series: PlotSeries, options: SparklineOptions): void {
  const span = spanOf(series, options.threshold);
  const first = series.x[0];
  const last = series.x[series.x.length - 1];
  if (!span || first === undefined || last === undefined) {
    into.replaceChildren(html('span', { class: 'sparkline-none' }, 'No finite values were saved.'));
    return;
  }
  const slack = last > first ? 0 : 1; // A single step is in the middle.
  const across = linear(first - slack, last + slack, MARGIN, WIDTH - MARGIN);
  const up = verticalScale(span);
  const words = `${options.label}: from ${figure(span.low)} to ${figure(span.high)}, steps ${first} to ${last}`;
  const picture = svg('svg', {
    class: 'sparkline',
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': words,
  });
  if (options.threshold !== undefined && Number.isFinite(options.threshold)) {
    const y = up(options.threshold);
    picture.append(
      svg('line', { class: 'sparkline-threshold', x1: 0, x2: WIDTH, y1: y, y2: y, ...still }),
    );
  }
  if (options.mark !== undefined && options.mark >= first && options.mark <= last) {
    const x = across(options.mark);
    picture.append(
      svg('line', { class: 'sparkline-mark', x1: x, x2: x, y1: 0, y2: HEIGHT, ...still }),
    );
  }
  picture.append(
    svg('path', { class: 'sparkline-line', d: path(series.x, series.high, across, up), ...still }),
    svg('path', { class: 'sparkline-dots', d: dots(series.x, series.high, across, up), ...still }),
  );
  into.replaceChildren(picture);
}
