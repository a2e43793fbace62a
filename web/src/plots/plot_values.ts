// The values of a plot as CSV and JSON.

import type { Range } from './axes';
import { lowerBound, middle, type PlotSeries } from './series_points';

// Points of the window, in one order for all series.
function rowsOf(
  all: readonly PlotSeries[],
  [from, to]: Range,
): { x: number; at: (number | null)[] }[] {
  const rows = new Map<number, (number | null)[]>();
  all.forEach(({ x }, k) => {
    for (let i = lowerBound(x, from); i < x.length && (x[i] as number) <= to; ++i) {
      const here = x[i] as number;
      const row = rows.get(here) ?? all.map(() => null);
      row[k] = i;
      rows.set(here, row);
    }
  });
  return [...rows].map(([x, at]) => ({ x, at })).sort((a, b) => a.x - b.x);
}

// Whether points cover several steps: then minimum and maximum have columns of their own.
const isWide = ({ low, high }: PlotSeries): boolean =>
  Array.from(low).some((value, i) => value !== high[i] && !Number.isNaN(value));

// Names that a table would compute are kept from it by a quote.
const cell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

// xName: 'step'. Of a point that covers several steps: the middle, the minimum and the maximum.
export function csvOf(all: readonly PlotSeries[], window: Range, xName: string): string {
  const wide = all.map(isWide);
  const heads = all.flatMap(({ name }, k) =>
    wide[k] ? [name, `${name} (minimum)`, `${name} (maximum)`] : [name],
  );
  const lines = [[xName, ...heads].map(cell).join(',')];
  for (const { x, at } of rowsOf(all, window)) {
    const values = all.flatMap((series, k) => {
      const i = at[k] ?? null;
      if (i === null) return wide[k] ? ['', '', ''] : [''];
      const mean = String(middle(series, i));
      return wide[k] ? [mean, String(series.low[i]), String(series.high[i])] : [mean];
    });
    lines.push([String(x), ...values].join(','));
  }
  return `${lines.join('\n')}\n`;
}

// JSON has no NaN: it is written as the dashboard's API does.
const number = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

export function jsonOf(
  label: string,
  all: readonly PlotSeries[],
  [from, to]: Range,
  xName: string,
): string {
  const series = all.map((one) => {
    const points: Record<string, number | string>[] = [];
    for (let i = lowerBound(one.x, from); i < one.x.length && (one.x[i] as number) <= to; ++i) {
      const [low, high] = [one.low[i] as number, one.high[i] as number];
      const point = { [xName]: one.x[i] as number, value: number(middle(one, i)) };
      points.push(
        low === high || Number.isNaN(low)
          ? point
          : { ...point, minimum: number(low), maximum: number(high) },
      );
    }
    return { name: one.name, points };
  });
  return `${JSON.stringify({ chart: label, x: xName, series }, null, 1)}\n`;
}
