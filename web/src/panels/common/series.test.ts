import { describe, expect, test } from 'vitest';
import { clientOf, columnsOf } from '../../api/runs_for_test';
import {
  askSeries,
  measured,
  plotted,
  type SeriesHeader,
  shortNames,
  stepsOf,
  writeRange,
} from './series';

const seriesOf = (tensor: string, found = true): SeriesHeader['series'][number] => ({
  tensor,
  statistic: 'mean',
  worker: '',
  mode: 'GLOBAL',
  found,
  steps_per_point: 1,
});

describe('writeRange', () => {
  const written = (range: [number, number] | null): string => {
    const params = new URLSearchParams();
    writeRange(params, range);
    return params.toString();
  };

  test.each([
    [null, ''],
    [[1.2, 99.9], 'from=1&to=100'],
    [[1.23456, 2.34567], 'from=1.234&to=2.346'],
    [[-3.5, 20], 'from=-4&to=20'],
  ] as [[number, number] | null, string][])('%j: %s', (range, text) => {
    expect(written(range)).toBe(text);
  });

  test('what is read is written again', () => {
    expect(written([5, 105])).toBe('from=5&to=105');
    expect(written([1.5, 2.25])).toBe('from=1.5&to=2.25');
  });
});

test('stepsOf rounds outward, not before the first step', () => {
  expect(stepsOf({ from: 3.7, to: 9.2 })).toEqual({ from: 3, to: 10 });
  expect(stepsOf({ from: -8, to: -2 })).toEqual({ from: 0, to: 0 });
  expect(stepsOf({ from: undefined, to: undefined })).toEqual({ from: undefined, to: undefined });
});

describe('askSeries', () => {
  const asked = { from: 0.5, to: undefined, points: 100 };
  const question = (names: string[]) => ({
    run: 'r',
    wanted: names.map((tensor) => ({ tensor, statistic: 'mean' })),
    mode: 'GLOBAL' as const,
    worker: '',
    asked,
  });
  const signal = new AbortController().signal;

  test('one request for a few', async () => {
    const answer = columnsOf({ series: [seriesOf('a')] });
    const { client, asked: seen } = clientOf(() => ({ ok: true, value: answer }));
    expect(await askSeries(client, question(['a', 'b']), signal)).toEqual({
      ok: true,
      value: answer,
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.path).toBe('runs/r/series');
    expect(seen[0]?.options.query).toMatchObject({ tensor: ['a', 'b'], from: 0, points: 100 });
  });

  test('many are asked in parts and joined in order', async () => {
    const names = Array.from({ length: 70 }, (_, i) => `t${i}`);
    const { client, asked: seen } = clientOf(({ options }) => {
      const tensors = options.query?.['tensor'] as string[];
      const columns = tensors.map((name, i) => [`x${i}`, Float64Array.of(Number(name.slice(1)))]);
      const header = { series: tensors.map((name) => seriesOf(name)) };
      return {
        ok: true,
        value: columnsOf(header, Object.fromEntries(columns) as Record<string, Float64Array>),
      };
    });
    const answer = await askSeries(client, question(names), signal);
    expect(seen).toHaveLength(2);
    if (!answer.ok) throw new Error(answer.error.message);
    expect(answer.value.header.series.map(({ tensor }) => tensor)).toEqual(names);
    expect([0, 63, 64, 69].map((i) => answer.value.column(`x${i}`)[0])).toEqual([0, 63, 64, 69]);
    for (const name of ['x70', 'x', 'nonsense', ''])
      expect(answer.value.column(name)).toHaveLength(0);
  });

  test('one part that fails is a failure', async () => {
    const names = Array.from({ length: 70 }, (_, i) => `t${i}`);
    const error = { status: 500, message: 'no' };
    const { client } = clientOf(({ options }) =>
      (options.query?.['tensor'] as string[]).length < 64
        ? { ok: false, error }
        : { ok: true, value: columnsOf({ series: [] }) },
    );
    expect(await askSeries(client, question(names), signal)).toEqual({ ok: false, error });
  });
});

describe('plotted', () => {
  test('series that were found, with the color of their place', () => {
    const answer = columnsOf(
      { series: [seriesOf('a', false), seriesOf('b'), seriesOf('c')] },
      { x1: Float64Array.of(1, 2), low1: Float64Array.of(3, 4), high1: Float64Array.of(5, 6) },
    );
    const series = plotted(answer, ['A', 'B']);
    expect(series.map(({ name, colour }) => [name, colour])).toEqual([
      ['B', 1],
      ['series 3', 2],
    ]);
    expect(series[0]?.high).toEqual(Float64Array.of(5, 6));
    expect(series[1]?.x).toHaveLength(0);
  });
});

test('measured: where the axis has them, with the steps of a point', () => {
  const answer = columnsOf(
    { series: [seriesOf('a', false), { ...seriesOf('b'), steps_per_point: 4 }] },
    { x1: Float64Array.of(1, 2) },
  );
  const series = measured(answer, ['A', 'B'], (x) => x - 1);
  expect(series).toMatchObject([{ name: 'B', stepsPerPoint: 4 }]);
  expect(series[0]?.x).toEqual(Float64Array.of(0, 1));
});

describe('shortNames', () => {
  test.each([
    [[], []],
    [['model.layer.weight'], ['model.layer.weight']],
    [
      ['model.encoder.0.weight', 'model.encoder.1.weight'],
      ['…encoder.0.weight', '…encoder.1.weight'],
    ],
    [
      ['a.x', 'a.y'],
      ['a.x', 'a.y'],
    ],
    [
      ['alpha', 'beta'],
      ['alpha', 'beta'],
    ],
    [
      ['', 'model.layer'],
      ['', 'model.layer'],
    ],
  ])('%j: %j', (names, short) => {
    expect(shortNames(names)).toEqual(short);
  });

  test('also without what they end with', () => {
    const names = ['model.encoder.0.weight', 'model.encoder.1.weight'];
    expect(shortNames(names, true)).toEqual(['…encoder.0…', '…encoder.1…']);
  });

  test('identical names stay distinguishable from nothing', () => {
    for (const name of shortNames(['a.b.c.d.e', 'a.b.c.d.e'], true)) expect(name).toMatch(/\w/);
  });
});
