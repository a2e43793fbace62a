import { describe, expect, test } from 'vitest';
import { runOf } from '../../api/runs_for_test';
import type { RunSummary } from '../../api/types';
import { sorted } from './columns';

const NOW = 1000;
const ids = (runs: RunSummary[], sort: string): string[] =>
  sorted(runs, sort, NOW).map(({ id }) => id);

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
    const runs = [runOf({ id: 'b', name: 'b' }), runOf({ id: 'a', name: 'a' })];
    sorted(runs, 'name', NOW);
    expect(runs.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(ids([], 'name')).toEqual([]);
  });
});
