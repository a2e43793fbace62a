import { describe, expect, test } from 'vitest';
import { csvOf, jsonOf } from './plot_values';
import type { PlotSeries } from './series_points';

const seriesOf = (name: string, x: number[], values: number[]): PlotSeries => ({
  name,
  x,
  low: values,
  high: values,
  nan: true,
});
const train = seriesOf('train', [0, 1, 2, 3], [4, 3, NaN, 1]);
const val = seriesOf('val, "best"', [1, 3], [5, Infinity]);

describe('csvOf', () => {
  test('one row for each x, and nothing where a series has no point', () => {
    expect(csvOf([train, val], [0, 3], 'step')).toBe(
      'step,train,"val, ""best"""\n0,4,\n1,3,5\n2,NaN,\n3,1,Infinity\n',
    );
  });

  test('only the window', () => {
    expect(csvOf([train], [1, 2], 'step')).toBe('step,train\n1,3\n2,NaN\n');
  });

  test('points that cover several steps tell their minimum and maximum', () => {
    const wide = { ...seriesOf('loss', [0, 10], [2, 4]), low: [1, 4], high: [3, 4] };
    expect(csvOf([wide], [0, 10], 'step')).toBe(
      'step,loss,loss (minimum),loss (maximum)\n0,2,1,3\n10,4,4,4\n',
    );
  });

  test('a name cannot be a formula', () => {
    expect(csvOf([seriesOf('=cmd()', [0], [1])], [0, 1], 'step')).toBe("step,'=cmd()\n0,1\n");
  });

  test('nothing', () => {
    expect(csvOf([], [0, 1], 'step')).toBe('step\n');
  });
});

test('jsonOf has the same values; those that are not finite are text', () => {
  expect(JSON.parse(jsonOf('loss', [train, val], [1, 3], 'step'))).toEqual({
    chart: 'loss',
    x: 'step',
    series: [
      {
        name: 'train',
        points: [
          { step: 1, value: 3 },
          { step: 2, value: 'NaN' },
          { step: 3, value: 1 },
        ],
      },
      {
        name: 'val, "best"',
        points: [
          { step: 1, value: 5 },
          { step: 3, value: 'Infinity' },
        ],
      },
    ],
  });
});
