// What a box at the cursor says: the values of all series, the highest first.

import { legendText } from './series_legend';
import { middle, nearest, type PlotSeries } from './series_points';

export interface TipRow {
  name: string;
  colour: number;
  words: string;
}

// At most `most` rows: of more series, those closest to y, the value at the pointer, if known.
export function tipRows(
  all: readonly PlotSeries[],
  x: number,
  y: number | null,
  unit: string,
  most: number,
): { rows: TipRow[]; more: number } {
  const found = all.flatMap((series, i) => {
    const words = legendText(series, x, unit);
    const value = middle(series, Math.max(0, nearest(series, x)));
    return words === '–' ? [] : [{ name: series.name, colour: series.colour ?? i, words, value }];
  });
  const apart = (value: number): number =>
    y === null || Number.isNaN(value) ? Infinity : Math.abs(value - y);
  const kept =
    found.length > most && y !== null
      ? [...found].sort((a, b) => order(apart(a.value), apart(b.value))).slice(0, most)
      : found.slice(0, most);
  // NaN first: it matters most.
  kept.sort((a, b) => order(rank(b.value), rank(a.value)));
  return {
    rows: kept.map(({ name, colour, words }) => ({ name, colour, words })),
    more: found.length - kept.length,
  };
}

const rank = (value: number): number => (Number.isNaN(value) ? Infinity : value);
const order = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
