// Requests values and formats them.

import { type Answer, below, type Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import type { JsonNumber } from '../../api/types';
import type { Axis } from './slices';
import type { Desk } from './state';

export interface ValueHeader {
  dtype: string;
  shape: number[];
  slice: string;
  sliced_shape: number[];
  summary: Record<
    'min' | 'max' | 'mean' | 'std' | 'nans' | 'infs' | 'zeros' | 'count',
    JsonNumber | null
  > | null;
  strings?: string[];
  note?: string;
}

export const MOST_VALUES = 1 << 20; // Elements that the server sends at once.

export function askValue(
  client: Client,
  desk: Desk,
  tensor: string,
  step: number,
  slice: string,
  signal: AbortSignal,
): Promise<Answer<Columns<ValueHeader>>> {
  const { mode, worker } = desk.state();
  return client.columns<ValueHeader>(below(desk.run, 'value'), {
    query: { tensor, step, mode, worker, slice },
    signal,
  });
}

// The answer for a slice: its axes (without single indices) and its values in order.
export interface Shown {
  readonly tensor: string;
  readonly header: ValueHeader;
  readonly axes: readonly Axis[];
  readonly values: ArrayLike<number>;
  readonly every: number; // More than 1: only every n-th index arrived, in each direction.
}

export function writeValue(value: number | string, digits = 6): string {
  if (typeof value === 'string') return value;
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return String(Number(value.toPrecision(digits)));
}

export const numberOf = (value: JsonNumber | null | undefined): number =>
  value === null || value === undefined ? NaN : Number(value);
export const placeOf = (axis: Axis, index: number): number => axis.start + index * axis.step;
