// A series of points, each with the minimum and maximum of what it covers.

import type { Range } from './axes';

export interface PlotSeries {
  name: string;
  x: ArrayLike<number>; // Rising.
  low: ArrayLike<number>;
  high: ArrayLike<number>;
  mean?: ArrayLike<number>;
  colour?: number; // Index of the color; the series' index if absent.
  nan?: boolean; // NaN is a value that was saved; otherwise it is a gap.
}

// The index of the first x that is not less than `value`.
export function lowerBound(x: ArrayLike<number>, value: number): number {
  let [from, to] = [0, x.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((x[middle] as number) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

// The points in the window, plus one on each side, so that lines enter and leave it.
export const within = ({ x }: PlotSeries, [from, to]: Range): Range => [
  Math.max(0, lowerBound(x, from) - 1),
  Math.min(x.length, lowerBound(x, to) + 2),
];

// The index of the nearest point, the earlier of two; -1 if there are none.
export function nearest({ x }: PlotSeries, value: number): number {
  const after = lowerBound(x, value);
  if (after >= x.length) return x.length - 1;
  if (after === 0) return 0;
  return value - (x[after - 1] as number) <= (x[after] as number) - value ? after - 1 : after;
}

// The index of the first x that is greater.
function upperBound(x: ArrayLike<number>, value: number): number {
  let at = lowerBound(x, value);
  while (x[at] === value) ++at;
  return at;
}

// The next x at which one of the series has a point, to the right (by 1) or to the left (-1); null
// if there is none. from: where to begin; null: at that end of the window.
export function nextX(
  all: readonly PlotSeries[],
  from: number | null,
  by: 1 | -1,
  [first, last]: Range,
): number | null {
  const indexIn = (x: ArrayLike<number>): number =>
    by > 0
      ? from === null
        ? lowerBound(x, first)
        : upperBound(x, from)
      : (from === null ? upperBound(x, last) : lowerBound(x, from)) - 1;
  const found = all.flatMap(({ x }) => x[indexIn(x)] ?? []);
  if (found.length === 0) return null;
  return by > 0 ? Math.min(...found) : Math.max(...found);
}

export function middle(series: PlotSeries, i: number, log = false): number {
  if (series.mean) return series.mean[i] as number;
  const [low, high] = [series.low[i] as number, series.high[i] as number];
  if (low === high) return low;
  return log && low > 0 ? Math.sqrt(low) * Math.sqrt(high) : low / 2 + high / 2;
}

// Minimum and maximum in the window; null if it is empty.
export function bounds(all: readonly PlotSeries[], window: Range, log: boolean): Range | null {
  let [least, most] = [Infinity, -Infinity];
  for (const series of all) {
    const [from, to] = within(series, window);
    for (let i = from; i < to; ++i) {
      const [low, high] = [series.low[i] as number, series.high[i] as number];
      if (low < least && low > (log ? 0 : -Infinity)) least = low;
      if (high > most && high < Infinity) most = high;
    }
  }
  if (log && most > 0 && least === Infinity) least = most / 10;
  return least <= most && (!log || most > 0) ? [least, most] : null;
}
