// A small curve: how a value developed, where it crossed its threshold, which step is marked.

import './sparkline.css';
import { html, svg } from '../base/dom';
import { figure } from '../base/format';
import { linear, type Scale } from '../base/scale';
import type { PlotSeries } from './series_paths';

export interface SparklineOptions {
  threshold?: number;
  mark?: number; // The marked x.
  label: string; // Description for screen readers.
}

const WIDTH = 240;
const HEIGHT = 40;
const MARGIN = 3;
const LOG_FROM = 100; // Values that differ by this factor use a log scale.

interface Span {
  low: number;
  high: number;
}

function spanOf(series: PlotSeries, threshold: number | undefined): Span | null {
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

function verticalScale({ low, high }: Span): Scale {
  const byPowers = low > 0 && high / low >= LOG_FROM;
  const change = byPowers ? Math.log10 : (value: number): number => value;
  const [from, to] = [change(low), change(high)];
  // A constant is drawn in the middle.
  const line =
    to > from
      ? linear(from, to, HEIGHT - MARGIN, MARGIN)
      : linear(from - 1, to + 1, HEIGHT - MARGIN, MARGIN);
  return Object.assign((value: number) => line(change(value)), { invert: line.invert });
}

function path(x: ArrayLike<number>, y: ArrayLike<number>, across: Scale, up: Scale): string {
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
  const across = linear(first, last > first ? last : first + 1, MARGIN, WIDTH - MARGIN);
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
  );
  into.replaceChildren(picture);
}
