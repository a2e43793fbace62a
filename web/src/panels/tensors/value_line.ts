// The values along one axis as a line.

import type { Axis } from './slices';
import { placeOf } from './value';

// A million values are more than there are pixels: draws minimum and maximum per pixel.
export function thinnedLine(
  values: ArrayLike<number>,
  axis: Axis,
  range: [number, number] | null,
): { x: number[]; low: number[]; high: number[] } {
  const index = (place: number): number => (place - axis.start) / axis.step;
  const ends = range
    ? [index(range[0]), index(range[1])].sort((a, b) => a - b)
    : [0, axis.length - 1];
  const first = Math.max(0, Math.floor(ends[0] ?? 0) - 1);
  const last = Math.min(axis.length - 1, Math.ceil(ends[1] ?? 0) + 1);
  const each = Math.max(1, Math.ceil((last - first + 1) / 2000));
  const line = { x: [] as number[], low: [] as number[], high: [] as number[] };
  for (let from = first; from <= last; from += each) {
    let [low, high] = [NaN, NaN];
    for (let i = from; i < Math.min(last + 1, from + each); ++i) {
      const value = values[i] ?? NaN;
      if (!(value >= low)) low = Number.isNaN(value) ? low : value;
      if (!(value <= high)) high = Number.isNaN(value) ? high : value;
    }
    line.x.push(placeOf(axis, from));
    line.low.push(low);
    line.high.push(high);
  }
  return line;
}
