// Options and events of a series plot.

import type { Range } from './axes';
import type { PlotMark } from './plot_marks';

export interface PlotOptions {
  label: string;
  unit?: string; // As in base/format: '%', 'B/s', 's', or any other.
  time?: boolean; // x is seconds since 1970.
  fractions?: boolean; // x is neither a time nor a whole number, such as the number of a step.
  xLabel?: string; // 'Step'; for the table and the cursor.
  height?: number;
  log?: boolean;
  y?: [number | null, number | null]; // Fixed ends; null: from the data.
  clip?: boolean; // The axis leaves out outliers; see outliers.ts.
  tip?: boolean; // Values at the cursor in a box beside it, instead of a legend below.
  lead?: HTMLElement; // Before the label.
  tools?: readonly HTMLElement[]; // Besides the plot's own.
  marks?: PlotMark[];
  thresholds?: { y: number; label: string }[];
  shade?: Range | null; // A range of x with another background, such as the training loop.
  range?: Range | null; // null: everything.
  extent?: Range | null; // The whole extent, if the data covers only a part.
  cursor?: number | null; // Where another plot's cursor is.
  waiting?: boolean; // Data is being loaded: until it arrives, the plot says so.
  hidden?: readonly string[]; // Names of series that are not drawn, until the legend shows them.
  bare?: boolean; // Without label and tools above, if the page has its own.
  onRange?: (range: Range | null, settled: boolean) => void;
  onCursor?: (x: number | null) => void;
  onHidden?: (names: readonly string[]) => void; // The reader has hidden or shown one.
}
