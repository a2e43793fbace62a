import { describe, expect, test } from 'vitest';
import type { PlotSeries } from './series_points';
import { tipRows } from './tip_rows';

const runs = (...values: number[]): PlotSeries[] =>
  values.map((value, i) => ({
    name: `run ${i}`,
    x: [0, 10],
    low: [value, value],
    high: [value, value],
    nan: true,
  }));
const names = (all: PlotSeries[], y: number | null, most = 10): string[] =>
  tipRows(all, 5, y, '', most).rows.map(({ name }) => name);

describe('tipRows', () => {
  test('the highest first, NaN before all', () => {
    expect(names(runs(1, 3, NaN, 2), null)).toEqual(['run 2', 'run 1', 'run 3', 'run 0']);
  });

  test('of many, those near the pointer', () => {
    const all = runs(...Array.from({ length: 50 }, (_, i) => i));
    expect(names(all, 20.2, 3)).toEqual(['run 21', 'run 20', 'run 19']);
    expect(tipRows(all, 5, 20.2, '', 3).more).toBe(47);
  });

  test('series that have nothing there are left out', () => {
    const late: PlotSeries = { name: 'late', x: [900, 910], low: [1, 1], high: [1, 1] };
    expect(names([...runs(1), late], null)).toEqual(['run 0']);
    expect(tipRows([], 5, null, '', 3)).toEqual({ rows: [], more: 0 });
  });
});
