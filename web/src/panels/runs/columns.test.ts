import { describe, expect, test } from 'vitest';
import { runOf } from '../../api/runs_for_test';
import type { RunSummary } from '../../api/types';
import { columnOf, sorted } from './columns';
import { listedRun } from './fields';

const NOW = 1000;
const ids = (runs: RunSummary[], sort: string): string[] =>
  sorted(
    runs.map((run) => listedRun(run)),
    sort,
    NOW,
  ).map(({ id }) => id);

describe('sorted', () => {
  test('runs without a value come last in either direction', () => {
    const runs = [
      runOf({ id: 'none', last_step: null }),
      runOf({ id: 'ten', last_step: 10 }),
      runOf({ id: 'also none', last_step: null }),
      runOf({ id: 'two', last_step: 2 }),
    ];
    expect(ids(runs, 'step')).toEqual(['two', 'ten', 'none', 'also none']);
    expect(ids(runs, '-step')).toEqual(['ten', 'two', 'none', 'also none']);
  });

  test.each(['age', '', '-', 'unknown', '-__proto__', 'tags', '-tags'])(
    '%j: the newest first',
    (sort) => {
      const runs = [runOf({ id: 'old', started: 10 }), runOf({ id: 'new', started: 900 })];
      expect(ids(runs, sort)).toEqual(['new', 'old']);
    },
  );

  test('the age of a run that has not started', () => {
    const runs = [
      runOf({ id: 'created', started: null, created: 500 }),
      runOf({ id: 'modified', started: null, created: null, modified: 700 }),
      runOf({ id: 'started', started: 600 }),
    ];
    expect(ids(runs, 'age')).toEqual(['modified', 'started', 'created']);
  });

  test('names without regard to case', () => {
    const runs = ['b', 'A', 'C'].map((name) => runOf({ id: name, name }));
    expect(ids(runs, 'name')).toEqual(['A', 'b', 'C']);
    expect(ids(runs, '-name')).toEqual(['C', 'b', 'A']);
  });

  test('ties keep their order in both directions', () => {
    const runs = ['x', 'y', 'z'].map((id) => runOf({ id }));
    expect(ids(runs, 'findings')).toEqual(['x', 'y', 'z']);
    expect(ids(runs, '-findings')).toEqual(['x', 'y', 'z']);
  });

  test('running runs first, problems before warnings', () => {
    const runs = [
      runOf({ id: 'done', status: 'Completed' }),
      runOf({
        id: 'failed',
        status: 'Failed',
        incident_counts: { problem: 1, warning: 0, note: 0 },
      }),
      runOf({
        id: 'runs',
        status: 'InProgress',
        incident_counts: { problem: 0, warning: 9, note: 0 },
      }),
    ];
    expect(ids(runs, 'status')).toEqual(['runs', 'failed', 'done']);
    expect(ids(runs, '-findings')).toEqual(['failed', 'runs', 'done']);
  });

  test('the list is not changed', () => {
    const runs = ['b', 'a'].map((id) => listedRun(runOf({ id, name: id })));
    sorted(runs, 'name', NOW);
    expect(runs.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(ids([], 'name')).toEqual([]);
  });

  test('by a hyperparameter: numbers as such, before words', () => {
    const runs = ['1e-3', 'auto', '0.1', '0.02'].map((lr) =>
      runOf({ id: lr, hyper_parameters: { lr } }),
    );
    runs.push(runOf({ id: 'none', hyper_parameters: {} }));
    expect(ids(runs, 'param:lr')).toEqual(['1e-3', '0.02', '0.1', 'auto', 'none']);
    expect(ids(runs, '-param:lr')).toEqual(['auto', '0.1', '0.02', '1e-3', 'none']);
  });

  test('by a metric: NaN comes last in either direction', () => {
    const runs = (['NaN', 2, 1, 'Infinity'] as const).map((last) =>
      listedRun(runOf({ id: String(last) }), {
        hyper_parameters: {},
        scalars: { loss: [last, 0.5, 9, 10, 4, 0] },
      }),
    );
    const by = (sort: string): string[] => sorted(runs, sort, NOW).map(({ id }) => id);
    expect(by('last:loss')).toEqual(['1', '2', 'Infinity', 'NaN']);
    expect(by('-last:loss')).toEqual(['Infinity', '2', '1', 'NaN']);
  });
});

describe('columnOf', () => {
  test.each([
    ['step', 'Last step', true],
    ['param:lr', 'lr', true],
    ['param:optimizer', 'optimizer', false],
    ['min:val%2Closs', 'val,loss (min)', true],
    ['maxstep:loss', 'loss (step of max)', true],
  ])('%j: %j', (id, title, numeric) => {
    const there = { params: [], tags: [], scalars: [], numeric: new Set(['param:lr']) };
    const column = columnOf(id, there);
    expect(column?.title).toBe(title);
    expect(column?.numeric ?? false).toBe(numeric);
  });

  test.each(['', 'unknown', 'param:', 'param:%', 'sum:loss', '__proto__', 'constructor:x'])(
    'there is no column %j',
    (id) => expect(columnOf(id)).toBeNull(),
  );
});

test('a metric at the best step of another one', () => {
  const column = columnOf('at:acc%40min%3Aloss');
  expect(column?.title).toBe('acc at lowest loss');
  expect(column?.numeric).toBe(true);
  const run = listedRun(runOf(), {
    hyper_parameters: {},
    scalars: { loss: [1, 0.5, 2, 9, 7, 0] },
    at: { 'min:loss': { acc: 0.75 } },
  });
  expect(column?.order?.(run, NOW)).toBe(0.75);
  expect(column?.order?.(listedRun(runOf()), NOW)).toBeNull();
});
