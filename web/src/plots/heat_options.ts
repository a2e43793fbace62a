// Options and events of a heat map.

import type { Range } from './axes';
import type { RampKind } from './ramp';

export interface HeatOptions {
  label: string; // Shown above, unless bare; the name for screen readers.
  rows: string[];
  write: (value: number) => string;
  ramp: RampKind;
  range?: [number, number]; // Color range; from the data if absent.
  xLabel: string;
  writeX: (x: number) => string;
  time?: boolean; // x is seconds since 1970: the axis has round times.
  rowHeight?: number; // Pixels; by the number of rows if absent.
  bare?: boolean;
  view?: Range | null; // The visible range of x; null: everything.
  extent?: Range | null; // The whole range of x, if the data covers only a part.
  cursor?: number | null; // Where another plot's cursor is.
  shown?: number; // Index of a highlighted row; -1: none.
  onPick?: (row: number, x: number) => void;
  onView?: (view: Range | null, settled: boolean) => void;
  onCursor?: (x: number | null) => void;
}
