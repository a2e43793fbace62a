// The data of a line chart: its extent, and the values at a time.

import { elapsed, figure, utc, withUnit } from '../base/format';
import type { Column } from './chart';
import type { Range } from './zoom_range';

export interface Series {
  name: string;
  start?: number;
  interval?: number;
  x?: number[];
  y: Column;
  low?: Column;
  high?: Column;
  marks?: [number, number][];
}

export interface LinesData {
  unit: string;
  origin: number;
  top?: number;
  bottom?: number;
  over?: string;
  loop?: [number, number];
  series: Series[];
}

export interface Shown {
  series: Series;
  number: number;
}

export const timeOf = (series: Series, i: number, origin: number): number =>
  (series.x ? (series.x[i] ?? 0) : (series.start ?? 0) + (series.interval ?? 1) * i) - origin;

// From the first to the last time, never empty.
export function extent(data: LinesData): Range {
  const times = data.series
    .filter(({ y }) => y.length > 0)
    .flatMap((series) => [
      timeOf(series, 0, data.origin),
      timeOf(series, series.y.length - 1, data.origin),
    ]);
  if (times.length === 0) return [0, 1];
  const [from, to] = [Math.min(...times), Math.max(...times)];
  return to > from ? [from, to] : [from - 0.5, from + 0.5];
}

// Of what is shown in the range; 1 if nothing is above zero.
export function highest(shown: Shown[], data: LinesData, [from, to]: Range): number {
  let most = 0;
  for (const { series } of shown) {
    series.y.forEach((value, i) => {
      const time = timeOf(series, i, data.origin);
      if (time >= from && time <= to) most = Math.max(most, value ?? 0, series.high?.[i] ?? 0);
    });
    for (const [time, value] of series.marks ?? []) {
      if (time - data.origin >= from && time - data.origin <= to) most = Math.max(most, value);
    }
  }
  return most > 0 ? most : 1;
}

export function nearest(series: Series, time: number, origin: number): number {
  let best = 0;
  series.y.forEach((_, i) => {
    const closer =
      Math.abs(timeOf(series, i, origin) - time) < Math.abs(timeOf(series, best, origin) - time);
    if (closer) best = i;
  });
  return best;
}

// The values at a time, for the tooltip.
export function told(shown: Shown[], time: number, data: LinesData): string[] {
  const lines = shown.flatMap(({ series }) => {
    const i = nearest(series, time, data.origin);
    const value = series.y[i];
    if (value === null || value === undefined) return [];
    const low = series.low?.[i];
    const high = series.high?.[i];
    const around =
      typeof low === 'number' && typeof high === 'number'
        ? ` (${figure(low)} to ${figure(high)})`
        : '';
    return [`${series.name}: ${withUnit(value, data.unit)}${data.unit === '%' ? around : ''}`];
  });
  const place = data.over
    ? `${data.over} ${figure(time)}`
    : `${elapsed(time)} · ${utc(time + data.origin)}`;
  return [place, ...lines.slice(0, 12)];
}
