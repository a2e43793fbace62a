// The data of a heat map: one value per tensor and column of steps.

import type { Columns } from '../../api/columns';
import { shortNames } from '../common/series';
import type { Ramp } from '../common/statistics';

export interface HeatHeader {
  rows: string[];
  steps: { first: number | null; last: number | null };
  left_out?: number;
}

export interface Matrix {
  readonly rows: readonly string[];
  readonly short: readonly string[]; // Their names without the common prefix.
  readonly x: ArrayLike<number>; // The step at which each column begins.
  readonly values: Float32Array; // Infinity: NaN or infinite. NaN: not measured.
  readonly broken: number; // Number of NaN or infinite cells.
  readonly leftOut: number; // Number of rows left out by the server.
  readonly last: number; // The last step of the run.
}

const PREFIX = /^gradient\//;

// Gradients are saved from the last layer to the first; this puts them in the order of their
// layers. names: all tensors in saving order. Returns the old indices of the rows.
export function modelOrder(rows: readonly string[], names: readonly string[]): number[] {
  const places = new Map(names.map((name, i) => [name, i]));
  const bases = rows.map((row) => places.get(row.replace(PREFIX, '')));
  const order = rows.map((_, i) => i);
  if (!rows.some((row) => PREFIX.test(row)) || bases.includes(undefined)) return order;
  return order.sort((a, b) => (bases[a] ?? 0) - (bases[b] ?? 0));
}

function ordered<T extends Float32Array | Uint8Array>(
  from: ArrayLike<number>,
  to: T,
  order: readonly number[],
  width: number,
): T {
  order.forEach((old, row) => {
    for (let i = 0; i < width; ++i) to[row * width + i] = from[old * width + i] ?? 0;
  });
  return to;
}

export function matrixOf(answer: Columns<HeatHeader>, names: readonly string[]): Matrix {
  const { steps, left_out = 0 } = answer.header;
  const x = answer.column('x');
  const order = modelOrder(answer.header.rows, names);
  const rows = order.map((old) => answer.header.rows[old] ?? '');
  const cells = rows.length * x.length;
  const values = ordered(answer.column('values'), new Float32Array(cells), order, x.length);
  const nans = ordered(answer.column('nans'), new Uint8Array(cells), order, x.length);
  let broken = 0;
  for (let i = 0; i < values.length; ++i) {
    if (!nans[i] && values[i] !== Infinity && values[i] !== -Infinity) continue;
    values[i] = Infinity;
    ++broken;
  }
  return {
    rows,
    short: shortNames(rows, true),
    x,
    values,
    broken,
    leftOut: left_out,
    last: steps.last ?? x[x.length - 1] ?? 0,
  };
}

// The column that contains a step, or the nearest one; -1 if there are none.
export function columnOf({ x }: Matrix, step: number): number {
  let [low, high] = [0, x.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((x[middle] ?? 0) <= step) low = middle + 1;
    else high = middle;
  }
  return Math.min(x.length - 1, Math.max(0, low - 1));
}

export function profileAt(matrix: Matrix, column: number): Float32Array {
  const width = matrix.x.length;
  return Float32Array.from(matrix.rows, (_, row) => matrix.values[row * width + column] ?? NaN);
}

const DECADES = 12;

// The color range. One value close to zero must not use up the whole log scale.
export function colourRange(values: Float32Array, ramp: Ramp, share: boolean): [number, number] {
  if (share) return [0, 1];
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value) || (ramp === 'log' && value <= 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(low <= high)) return [0, 1];
  return ramp === 'log' ? [Math.max(low, high * 10 ** -DECADES), high] : [low, high];
}
