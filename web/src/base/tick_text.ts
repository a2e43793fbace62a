// Labels of ticks.

import { figure } from './format';

// By decimals. Created once: creating a formatter takes longer than formatting a thousand numbers.
const FORMATS: Intl.NumberFormat[] = [];

// How many a step such as 0.25 needs.
function decimalsOf(step: number): number {
  let decimals = Math.max(0, Math.min(12, Math.ceil(-Math.log10(step) - 1e-9)));
  const exact = (): boolean =>
    Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) <
    1e-6 * step * 10 ** decimals;
  while (decimals < 13 && !exact()) ++decimals;
  return decimals;
}

// The power of ten of a step's last digit: 5 for 2.5e6.
function lastPlaceOf(step: number): number {
  const place = Math.floor(Math.log10(step) + 1e-9);
  const digits = step / 10 ** place;
  return Math.abs(digits - Math.round(digits)) < 1e-6 ? place : place - 1;
}

// Precise enough that neighbors differ. step: the distance between them.
export function tickText(value: number, step: number): string {
  const decimals = decimalsOf(step);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || (decimals > 6 && size < 1e-3))) {
    const digits = Math.max(0, Math.min(8, Math.floor(Math.log10(size)) - lastPlaceOf(step)));
    return value.toExponential(digits).replace('e+', 'e');
  }
  return (FORMATS[decimals] ??= new Intl.NumberFormat('en', {
    maximumFractionDigits: decimals,
  })).format(value);
}

export const stepOf = (at: readonly number[]): number => {
  const step = Math.abs((at[1] ?? 0) - (at[0] ?? 0));
  return step > 0 && Number.isFinite(step) ? step : 1;
};

// The usual notation where that tells all of them apart. write: adds a unit.
export function tickWriter(
  at: readonly number[],
  write: (value: number) => string = figure,
): (value: number) => string {
  if (new Set(at.map(write)).size === new Set(at).size) return write;
  const sorted = [...new Set(at)].sort((a, b) => a - b);
  let step = Infinity;
  sorted.forEach((value, i) => {
    if (i > 0) step = Math.min(step, value - (sorted[i - 1] as number));
  });
  // Two digits of the distance: unlike ticks, edges of bins are not round.
  const round = Number(step.toPrecision(2));
  return (value) => tickText(value, round);
}
