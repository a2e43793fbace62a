import { describe, expect, test } from 'vitest';
import { runOf } from '../../api/runs_for_test';
import type { RunSummary } from '../../api/types';
import { urgency, verdictsOf } from './verdicts';

const rules = { total: 9, issues: 0, not_evaluated: 0, no_data: 0, errors: 0, running: 0 };
const said = (changes: Partial<RunSummary>): string[] =>
  verdictsOf(runOf({ rules, ...changes })).map(({ tone, words }) => `${tone}: ${words}`);

describe('verdictsOf', () => {
  test.each<[string, Partial<RunSummary>, string[]]>([
    ['fine', {}, ['good: no problems found']],
    ['no rules', { rules: { ...rules, total: 0 } }, ['quiet: no rules']],
    ['running', { rules: { ...rules, running: 3 } }, ['accent: no problems so far']],
    [
      'rules that do not apply are not mentioned',
      { rules: { ...rules, not_evaluated: 6 } },
      ['good: no problems found'],
    ],
    [
      'never an all-clear where a rule that applies had no data',
      { rules: { ...rules, not_evaluated: 6, no_data: 1 } },
      ['quiet: not fully checked'],
    ],
    ['a rule that failed', { rules: { ...rules, errors: 1 } }, ['quiet: 1 failed']],
    [
      'problems are red, all else is not',
      {
        findings: 30,
        rules: { ...rules, issues: 3, not_evaluated: 3, errors: 1 },
        incident_counts: { problem: 1, warning: 2, note: 1 },
      },
      ['bad: 1 problem', 'warning: 2 warnings', 'quiet: 1 note', 'quiet: 1 failed'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(said(changes)).toEqual(expected);
  });
});

test('one problem is more urgent than many warnings', () => {
  const problem = runOf({ incident_counts: { problem: 1, warning: 0, note: 0 } });
  const warnings = runOf({ incident_counts: { problem: 0, warning: 200, note: 90 } });
  expect(urgency(problem)).toBeGreaterThan(urgency(warnings));
});
