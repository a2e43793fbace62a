// The rows and colors of a heat map.

import type { Column } from './chart';

export interface HeatRow {
  name: string;
  values: Column;
  bad?: number[]; // Columns whose value is NaN or infinite.
}

export interface HeatmapData {
  start?: number;
  interval?: number;
  origin?: number;
  steps?: number[];
  low?: number;
  high?: number;
  unit: string;
  rows: HeatRow[];
}

type Rgb = readonly [number, number, number];

// From dark blue to yellow: readable without telling red from green.
const RAMP: readonly Rgb[] = [
  [0, 32, 77],
  [49, 68, 107],
  [102, 105, 112],
  [149, 143, 120],
  [203, 186, 105],
  [255, 234, 70],
];
// Not on the ramp, for no kind of sight.
export const BAD: Rgb = [213, 62, 180];

// From here on there is a field to choose a row.
export const MANY_ROWS = 16;

export function shade(share: number): Rgb {
  const at = Math.min(1, Math.max(0, share)) * (RAMP.length - 1);
  const low = RAMP[Math.floor(at)] ?? [0, 0, 0];
  const high = RAMP[Math.ceil(at)] ?? low;
  const part = at - Math.floor(at);
  const mixed = (i: 0 | 1 | 2): number => Math.round(low[i] + (high[i] - low[i]) * part);
  return [mixed(0), mixed(1), mixed(2)];
}

// Where on the ramp: 0 to 1.
export function shareOf({ low = 0, high = 100 }: HeatmapData, value: number): number {
  return high > low ? (value - low) / (high - low) : 0.5;
}

export const heightOfRows = (count: number): number => Math.max(4, Math.min(24, 360 / count));

function medianOf(values: number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

// All rows, or the chosen one with the median of all below it.
export function chosenRows({ rows }: HeatmapData, name: string | null): HeatRow[] {
  const row = rows.find((each) => each.name === name);
  if (!row) return rows;
  const values = row.values.map((_, i) =>
    medianOf(rows.map((each) => each.values[i]).filter((value) => typeof value === 'number')),
  );
  return [row, { name: 'median of all', values }];
}
