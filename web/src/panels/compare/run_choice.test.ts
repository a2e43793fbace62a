import { describe, expect, test } from 'vitest';
import { runOf } from '../../api/runs_for_test';
import type { RunSummary } from '../../api/types';
import { choiceMeant, choicesOf, offered } from './run_choice';

const named = (id: string, name: string, changes: Partial<RunSummary> = {}): RunSummary =>
  runOf({ id, name, folder: `/data/${id}`, ...changes });

const marks = { ...runOf().marks, display_name: 'Renamed' };
const choices = choicesOf([
  named('1', 'big resnet'),
  named('2', 'resnet', { status: 'Failed' }),
  named('3', 'plain', { marks }),
  named('4', 'twin'),
  named('5', 'twin'),
]);
const labels = (typed: string): string[] => offered(choices, typed).map(({ label }) => label);

describe('runs to choose from', () => {
  test('have the name that is shown, their status, and where they are if they are called the same', () => {
    expect(choices.map(({ label }) => label)).toEqual([
      'big resnet (completed)',
      'resnet (failed)',
      'Renamed (completed)',
      'twin (completed) /data/4',
      'twin (completed) /data/5',
    ]);
  });

  test('match all that is typed; those that begin with it come first', () => {
    expect(labels('RESNET')).toEqual(['resnet (failed)', 'big resnet (completed)']);
    expect(labels('resnet completed')).toEqual(['big resnet (completed)']);
    expect(labels('')).toHaveLength(5);
    expect(labels('plain')).toEqual([]);
  });

  test('are never thousands', () => {
    const many = choicesOf(Array.from({ length: 10000 }, (_, i) => named(`${i}`, `run ${i}`)));
    expect(offered(many, '')).toHaveLength(50);
    expect(offered(many, 'run 99').map(({ id }) => id)).toContain('99');
    expect(choiceMeant(many, 'run 77')).toBe('280 runs match “run 77”. Choose one of the list.');
    expect(choiceMeant(many, 'run 77 (completed)')).toMatchObject({ id: '77' });
  });
});

test.each([
  ['resnet (failed)', '2'],
  ['Renamed', '3'],
  ['3', '3'],
  ['twin (completed) /data/5', '5'],
])('%s is meant', (typed, id) => {
  expect(choiceMeant(choices, typed)).toMatchObject({ id });
});

test('why no run is meant', () => {
  expect(choiceMeant(choices, ' ')).toBe('Type the name of a run.');
  expect(choiceMeant(choices, 'x')).toBe('No run matches “x”.');
  expect(choiceMeant(choices, 'twin')).toBe('2 runs match “twin”. Choose one of the list.');
});
