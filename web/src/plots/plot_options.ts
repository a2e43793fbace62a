// What a plot of series shows and tells.

import type { Range } from './axes';
import type { PlotMark } from './plot_marks';

export interface PlotOptions {
  label: string;
  unit?: string; // As base/format has it: '%', 'B/s', 's', or any other.
  time?: boolean; // x is seconds since 1970.
  xLabel?: string; // 'Step'; for the table and the reading of the cursor.
  height?: number;
  log?: boolean;
  y?: [number | null, number | null]; // Ends that are given; null: by the data.
  marks?: PlotMark[];
  thresholds?: { y: number; label: string }[];
  shade?: Range | null; // A part of x with another ground, such as the training loop.
  range?: Range | null; // null: all.
  extent?: Range | null; // All there is, where the data is only a part of it.
  cursor?: number | null; // Where another plot's cursor is.
  waiting?: boolean; // Data is being asked for: until there is some, the plot says so.
  bare?: boolean; // Without label and tools above, where the page has its own.
  onRange?(range: Range | null, settled: boolean): void;
  onCursor?(x: number | null): void;
}
