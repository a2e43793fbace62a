// What a heat map shows and tells.

import type { Range } from './axes';
import type { RampKind } from './ramp';

export interface HeatOptions {
  label: string; // Shown above, unless bare; the name for screen readers.
  rows: string[];
  write(value: number): string;
  ramp: RampKind;
  range?: [number, number]; // Of the colours; by the data where it is left out.
  xLabel: string;
  writeX(x: number): string;
  time?: boolean; // x is seconds since 1970: the axis has round times.
  rowHeight?: number; // Pixels; by the number of rows where it is left out.
  bare?: boolean;
  view?: Range | null; // The part of x that is shown; null: all.
  extent?: Range | null; // All of x, where the data is only a part of it.
  cursor?: number | null; // Where another plot's cursor is.
  shown?: number; // A row to point out, -1: none.
  onPick?(row: number, x: number): void;
  onView?(view: Range | null, settled: boolean): void;
  onCursor?(x: number | null): void;
}
