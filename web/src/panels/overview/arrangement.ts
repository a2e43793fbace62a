// The reader's order of the charts, and those pinned to the top. Remembered by this browser for all
// runs, by the names of the charts; pins are in the URL as well.

import type { ChartGroup, ChartSection } from '../common/chart_groups';

export interface Arrangement {
  readonly pinned: readonly string[]; // Keys of charts.
  readonly order: Readonly<Record<string, readonly string[]>>; // By section.
}

export const PINNED = '*pinned'; // The key of their section.
const KEY = 'tensorwarden-charts';
const MOST = 500; // Names that are remembered of a section.
const NONE: Arrangement = { pinned: [], order: {} };

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

export function parseArrangement(text: string | null): Arrangement {
  if (text === null) return NONE;
  try {
    const { pinned, order } = JSON.parse(text) as Partial<Arrangement>;
    const orders = Object.entries(order ?? {}).filter(([, keys]) => isTexts(keys));
    return { pinned: isTexts(pinned) ? pinned : [], order: Object.fromEntries(orders) };
  } catch {
    return NONE; // Of another version, or damaged.
  }
}

export function remembered(): Arrangement {
  try {
    return parseArrangement(localStorage.getItem(KEY));
  } catch {
    return NONE; // A page in a notebook has no storage.
  }
}

export function remember(arrangement: Arrangement): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(arrangement));
  } catch {
    // Without storage it lasts as long as the page.
  }
}

// Null: the URL says nothing about them.
export const readPins = (params: URLSearchParams): string[] | null =>
  params.has('pin') ? params.getAll('pin').filter(Boolean) : null;

// Without pins an empty one tells that there are none, whatever a browser remembers.
export function writePins(pinned: readonly string[], params: URLSearchParams): void {
  params.delete('pin');
  for (const key of pinned.length > 0 ? pinned : ['']) params.append('pin', key);
}

function ordered(charts: readonly ChartGroup[], keys: readonly string[] = []): ChartGroup[] {
  const place = new Map(keys.map((key, i) => [key, i]));
  const of = ({ key }: ChartGroup): number => place.get(key) ?? Infinity;
  return [...charts].sort((a, b) => (of(a) === of(b) ? 0 : of(a) - of(b)));
}

// Pinned charts in a section of their own, all others as they were moved. New ones come last.
export function arranged(
  sections: readonly ChartSection[],
  { pinned, order }: Arrangement,
): ChartSection[] {
  const all = new Map(sections.flatMap(({ charts }) => charts.map((chart) => [chart.key, chart])));
  const tops = pinned.flatMap((key) => all.get(key) ?? []);
  const others = sections.map((section) => ({
    ...section,
    charts: ordered(
      section.charts.filter(({ key }) => !pinned.includes(key)),
      order[section.key],
    ),
  }));
  const top = { key: PINNED, title: 'Pinned', open: true, charts: tops };
  return [top, ...others].filter(({ charts }) => charts.length > 0);
}

export function togglePin(arrangement: Arrangement, key: string): Arrangement {
  const { pinned } = arrangement;
  return {
    ...arrangement,
    pinned: pinned.includes(key) ? pinned.filter((one) => one !== key) : [...pinned, key],
  };
}

// keys: of the section, as they are now.
export function moved(
  arrangement: Arrangement,
  section: string,
  keys: readonly string[],
  key: string,
  to: number,
): Arrangement {
  const next = keys.filter((one) => one !== key);
  next.splice(to, 0, key);
  if (section === PINNED) {
    // Pins of charts that other runs have stay.
    const absent = arrangement.pinned.filter((one) => !keys.includes(one));
    return { ...arrangement, pinned: [...next, ...absent] };
  }
  return { ...arrangement, order: { ...arrangement.order, [section]: next.slice(0, MOST) } };
}
