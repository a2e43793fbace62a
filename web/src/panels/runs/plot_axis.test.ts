import { describe, expect, test } from 'vitest';
import { runOf } from '../../api/runs_for_test';
import { columnOf } from './columns';
import { type ListedRun, listedRun } from './fields';
import { readFilter } from './filter';
import { type Axis, axisOf, piecesBetween, placeOf, ticksOf, valueAt } from './plot_axis';

const withParameter = (...values: (string | undefined)[]): ListedRun[] =>
  values.map((lr, i) =>
    listedRun(runOf({ id: String(i), hyper_parameters: lr === undefined ? {} : { lr } })),
  );
function axis(runs: ListedRun[], id = 'param:lr'): Axis {
  const column = columnOf(id);
  if (!column) throw new Error(id);
  return axisOf(column, runs, 0);
}
const places = (runs: ListedRun[]): (number | null)[] =>
  runs.map((run) => placeOf(axis(runs), run));

describe('places on an axis', () => {
  test('numbers; runs without one have no place', () => {
    expect(places(withParameter('1', '3', undefined, '2'))).toEqual([0, 1, null, 0.5]);
  });

  test('from a hundred times the smallest on, logarithmic', () => {
    const runs = withParameter('0.001', '0.1', '0.01');
    expect(axis(runs).log).toBe(true);
    expect(places(runs)[2]).toBeCloseTo(0.5);
    expect(axis(withParameter('0', '1000')).log).toBe(false);
  });

  test('words in their order, each once', () => {
    const runs = withParameter('sgd', 'adam', 'lamb', 'sgd');
    expect(axis(runs).words).toEqual(['adam', 'lamb', 'sgd']);
    expect(places(runs)).toEqual([1, 0, 0.5, 1]);
  });

  test('one value, and none', () => {
    expect(places(withParameter('5', '5'))).toEqual([0.5, 0.5]);
    expect(places(withParameter('x'))).toEqual([0.5]);
    expect(places(withParameter(undefined))).toEqual([null]);
  });

  test('NaN and infinity of a metric have no place', () => {
    const runs = (['NaN', 1, 'Infinity', 3] as const).map((last) =>
      listedRun(runOf(), { hyper_parameters: {}, scalars: { loss: [last, 1, 1, 1, 1, 1] } }),
    );
    const loss = axis(runs, 'last:loss');
    expect(runs.map((run) => placeOf(loss, run))).toEqual([null, 0, null, 1]);
  });
});

describe('ticks', () => {
  test('round numbers, powers of ten, all words', () => {
    const said = (...values: string[]): string[] =>
      ticksOf(axis(withParameter(...values))).map(({ words }) => words);
    expect(said('0', '10')).toEqual(['0', '2', '4', '6', '8', '10']);
    expect(said('0.001', '10')).toEqual(['0.001', '0.01', '0.1', '1', '10']);
    expect(said('b', 'a')).toEqual(['a', 'b']);
  });
});

describe('piecesBetween', () => {
  const kept = (runs: ListedRun[], from: number, to: number): string[] => {
    const { test: holds, problems } = readFilter(piecesBetween(axis(runs), from, to).join(' '));
    expect(problems).toEqual([]);
    return runs.filter(holds).map((run) => run.hyper_parameters['lr'] ?? 'none');
  };

  test('numbers within, in either direction', () => {
    const runs = withParameter('0.001', '0.01', '0.1', '1', undefined);
    expect(piecesBetween(axis(runs), 0, 0.5)).toEqual(['lr>=0.001', 'lr<=0.03162']);
    expect(kept(runs, 0.2, 0.8)).toEqual(['0.01', '0.1']);
    expect(kept(runs, 0.8, 0.2)).toEqual(['0.01', '0.1']);
    expect(valueAt(axis(runs), 1)).toBe(1);
  });

  test('words within', () => {
    const runs = withParameter('a b', 'a.c', 'axc', 'z');
    expect(kept(runs, -0.1, 0.1)).toEqual(['a b']);
    expect(kept(runs, 0.1, 0.5)).toEqual(['a.c']);
    expect(kept(runs, -0.1, 0.5)).toEqual(['a b', 'a.c']);
    expect(kept(runs, -1, 2)).toHaveLength(4);
  });
});
