// How much tensors of two runs differ, in words and in order.

import type { Comparison } from '../../api/types';
import { figure } from '../../base/format';
import type { SortKey, State } from './state';

export type Difference = Comparison['tensors'][number] & {
  statistic?: string;
  step?: number | null;
};

export function percent(share: number | null): string {
  if (share === null) return 'not finite';
  if (share === 0) return 'none';
  return share < 0.00001 ? '< 0.001 %' : `${figure(100 * share)} %`;
}

// Undefined differences (NaN) matter most, so they sort with the largest.
const keyOf = (row: Difference, key: SortKey): number | string => {
  if (key === 'tensor') return row.tensor;
  if (key === 'difference') return row.difference ?? (row.steps > 0 ? Infinity : -1);
  return row[key] ?? (key === 'first_step' ? Infinity : -Infinity);
};

export function sorted(
  rows: readonly Difference[],
  { sort, down }: Pick<State, 'sort' | 'down'>,
): Difference[] {
  const sign = down ? -1 : 1;
  const order = (a: Difference, b: Difference): number => {
    const [x, y] = [keyOf(a, sort), keyOf(b, sort)];
    if (typeof x === 'string' || typeof y === 'string')
      return -sign * String(x).localeCompare(String(y), 'en', { numeric: true });
    return x === y ? 0 : sign * (x < y ? -1 : 1);
  };
  return [...rows].sort(order);
}

// Differences are preliminary until both runs are read: 'Reading run B: 2 of 7 steps. '; '' if all is.
export function unread({ ingested }: Comparison): string {
  return (['a', 'b'] as const)
    .map((run) => {
      const read = ingested?.[run];
      if (!read || read.done) return '';
      const [steps, total] = [read.steps, read.total].map((count) => count.toLocaleString('en'));
      return `Still reading run ${run.toUpperCase()}: ${steps} of ${total} steps. `;
    })
    .join('');
}

// The tensor that differs first, and how many differ from the same step on; null if none does.
// Of those, the first in the order of the model.
export function firstApart(
  rows: readonly Difference[],
): { row: Difference; together: number } | null {
  const steps = rows.flatMap(({ first_step }) => first_step ?? []);
  const least = Math.min(...steps);
  const row = rows.find(({ first_step }) => first_step === least);
  return row ? { row, together: steps.filter((step) => step === least).length } : null;
}
