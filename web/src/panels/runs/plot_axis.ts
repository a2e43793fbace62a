// An axis of a plot of runs: numbers, linear or logarithmic, or words at equal distances.

import { figure } from '../../base/format';
import { ticks } from '../../base/scale';
import { tickWriter } from '../../base/tick_text';
import { type Column, compareKeys } from './columns';
import { isScalar, type ListedRun } from './fields';
import { quoted } from './filter';

export interface Axis {
  id: string; // Of the column.
  title: string;
  name: string; // In the filter language.
  words: readonly string[] | null; // Null: numbers.
  log: boolean;
  range: readonly [number, number]; // Of the logarithms if `log`; of places if words.
  write: (value: number) => string;
  value: (run: ListedRun) => number | string | null;
}

const LOG_FROM = 100; // Largest by smallest value from which an axis is logarithmic.
const TICKS = 5;

export function filterName({ id, field }: Column): string {
  if (!field) return id;
  return isScalar(field.kind) ? `${field.kind}:${quoted(field.name)}` : quoted(field.name);
}

export function axisOf(column: Column, runs: readonly ListedRun[], now: number): Axis {
  const value = (run: ListedRun): number | string | null => column.order?.(run, now) ?? null;
  const values = runs.map(value).filter((one) => one !== null);
  const isNumber = (one: number | string): one is number => typeof one === 'number';
  const numbers = values.filter(isNumber).filter((one) => Number.isFinite(one));
  const base = { id: column.id, title: column.title, name: filterName(column), value };
  if (!values.every(isNumber)) {
    const words = [...new Set(values)].sort(compareKeys).map(String);
    return { ...base, words, log: false, range: [0, Math.max(1, words.length - 1)], write: String };
  }
  let [low, high] = [Infinity, -Infinity];
  for (const one of numbers) {
    low = Math.min(low, one);
    high = Math.max(high, one);
  }
  if (numbers.length === 0) [low, high] = [0, 1];
  const log = low > 0 && high / low >= LOG_FROM;
  if (log) [low, high] = [Math.log10(low), Math.log10(high)];
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  return { ...base, words: null, log, range: [low, high], write: column.write ?? figure };
}

// From 0 to 1; null: the run has no place on it.
export function placeOf(axis: Axis, run: ListedRun): number | null {
  const value = axis.value(run);
  if (value === null) return null;
  const [low, high] = axis.range;
  let at: number;
  if (axis.words) at = axis.words.indexOf(String(value));
  else if (typeof value === 'string' || !Number.isFinite(value)) return null;
  else at = axis.log ? Math.log10(value) : value;
  return axis.words && axis.words.length === 1 ? 0.5 : (at - low) / (high - low);
}

// The value at a place from 0 to 1, rounded to what can be told apart on the screen.
export function valueAt(axis: Axis, place: number): number {
  const [low, high] = axis.range;
  const at = low + place * (high - low);
  return Number((axis.log ? 10 ** at : at).toPrecision(4));
}

export interface Tick {
  place: number;
  words: string;
}

export function ticksOf(axis: Axis): Tick[] {
  const [low, high] = axis.range;
  const span = high - low;
  if (axis.words) {
    const { words } = axis;
    return words.map((word, i) => ({ place: words.length === 1 ? 0.5 : i / span, words: word }));
  }
  if (axis.log) {
    const powers = ticks(low, high, TICKS).filter((at) => Number.isInteger(at));
    return powers.map((at) => ({ place: (at - low) / span, words: axis.write(10 ** at) }));
  }
  const at = ticks(low, high, TICKS);
  const write = tickWriter(at, axis.write);
  return at.map((value) => ({ place: (value - low) / span, words: write(value) }));
}

// The pieces of a filter that keep what is between two places.
export function piecesBetween(axis: Axis, from: number, to: number): string[] {
  const [low, high] = from < to ? [from, to] : [to, from];
  if (!axis.words)
    return [`${axis.name}>=${valueAt(axis, low)}`, `${axis.name}<=${valueAt(axis, high)}`];
  const { words } = axis;
  const inside = ticksOf(axis)
    .filter(({ place }) => place >= low && place <= high)
    .map(({ words: word }) => word);
  if (inside.length === 0 || inside.length === words.length) return [];
  if (inside.length === 1) return [`${axis.name}=${quoted(inside[0] ?? '')}`];
  const escaped = inside.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return [`${axis.name}~"^(${escaped.join('|').replaceAll('"', '.')})$"`];
}
