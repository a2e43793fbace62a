// Axis ticks: where they are and their labels.

import { figure, withUnit } from '../base/format';
import { ticks, timeTicks } from '../base/scale';
import { stepOf, tickText } from '../base/tick_text';

export type Range = [number, number];

const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const two = (n: number): string => String(n).padStart(2, '0');

// Round numbers, or powers of ten on a log axis.
export function yTicks([from, to]: Range, log: boolean, count: number): number[] {
  if (!log) return ticks(from, to, count);
  const [first, last] = [Math.ceil(Math.log10(from)), Math.floor(Math.log10(to))];
  // Within less than a decade, powers of ten are too few.
  if (last <= first) return ticks(from, to, count).filter((value) => value > 0);
  const step = Math.max(1, Math.ceil((last - first) / Math.max(1, count)));
  const found: number[] = [];
  for (let power = Math.ceil(first / step) * step; power <= last; power += step)
    found.push(10 ** power);
  return found;
}

export function yTexts(at: readonly (number | null)[], unit: string, log: boolean): string[] {
  const known = at.filter((value): value is number => value !== null);
  const step = stepOf(known);
  return at.map((value) => {
    if (value === null) return '';
    if (unit === 'B/s' || unit === 's') return withUnit(value, unit);
    const power = log && (value < 1e-3 || value >= 1e5);
    const written = power
      ? value.toExponential(0).replace('e+', 'e')
      : tickText(value, log ? Math.min(step, value) : step);
    return unit === '%' ? `${written} %` : written;
  });
}

const CHARACTER = 7; // Pixels, of the widest digits.
const LEAST_WIDTH = 62; // So that most charts of a page are aligned.

// Without labels that would reach beyond the right edge: a number that is cut off is a wrong number.
// places: of the ticks, in pixels.
export const fittingTexts = (
  texts: readonly string[],
  places: readonly number[],
  edge: number,
): string[] =>
  texts.map((text, i) => ((places[i] ?? 0) + (CHARACTER * text.length) / 2 > edge ? '' : text));

// Room for the longest label, for the same reason.
export function yAxisWidth(texts: readonly string[] | null): number {
  const longest = Math.max(0, ...(texts ?? []).map((text) => text.length));
  return Math.max(LEAST_WIDTH, 12 + CHARACTER * longest);
}

export function clock(seconds: number, fine = true): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  const minutes = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  if (!fine) return minutes;
  return `${minutes}:${two(date.getUTCSeconds())}`;
}

const milliseconds = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime())
    ? ''
    : `.${String(date.getUTCMilliseconds()).padStart(3, '0')}`;
};

const day = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  return DAY.format(date);
};

// whole: x counts things, such as steps: there is no step 0.5.
export function xTicks([from, to]: Range, time: boolean, count: number, whole = false): number[] {
  if (time) return timeTicks(from, to, count);
  return ticks(from, to, whole ? Math.min(count, Math.max(1, to - from)) : count).filter(
    (value) => !whole || Number.isInteger(value),
  );
}

// Times of the day in UTC, as everywhere; the first tick of a day names it.
export function xTexts(at: readonly (number | null)[], time: boolean): string[] {
  const known = at.filter((value): value is number => value !== null);
  const step = stepOf(known);
  let before = '';
  return at.map((value) => {
    if (value === null) return '';
    if (!time) return tickText(value, step);
    const today = day(value);
    const named = before !== '' && today !== before;
    before = today;
    if (named) return today;
    return clock(value, step < 60) + (step < 1 ? milliseconds(value) : '');
  });
}

// One x value in full.
export function xText(value: number, time: boolean): string {
  if (!time) return Number.isInteger(value) ? value.toLocaleString('en') : figure(value);
  return `${day(value)}, ${clock(value)}${Number.isInteger(value) ? '' : milliseconds(value)} UTC`;
}

// Next to the cursor, which is between points most of the time.
export function cursorText(at: number, time: boolean, fractions: boolean): string {
  if (time) return clock(at);
  return xText(fractions ? Math.round(at * 100) / 100 : Math.round(at), false);
}

export function valueText(value: number, unit: string): string {
  if (value === Infinity) return '∞';
  if (value === -Infinity) return '−∞';
  if (Number.isNaN(value)) return '–';
  if (unit) return withUnit(value, unit);
  const size = Math.abs(value);
  return size >= 1e7 ? value.toPrecision(4).replace('e+', 'e') : figure(value);
}
