import { describe, expect, test } from 'vitest';
import { detailOf, findingOf, incidentOf, ruleOf } from '../../api/runs_for_test';
import type { RuleView } from '../../api/types';
import { groupRules, verdictOf } from './verdict';

const blind = (changes: Partial<RuleView> = {}): RuleView =>
  ruleOf({
    name: 'NotLearning',
    status: 'NotEvaluated',
    reason: 'needs 80 training losses, found 60',
    coverage: { tensors: 0, steps: 0 },
    ...changes,
  });

describe('verdictOf', () => {
  test('a run that was checked by all rules is fine', () => {
    const run = detailOf({ rules_seen: [ruleOf(), ruleOf({ name: 'LossSpike' })] });
    expect(verdictOf(run)).toEqual({
      tone: 'good',
      words: 'No problems found',
      more: '2 rules checked.',
    });
  });

  test('rules that do not apply change nothing', () => {
    const gpu = blind({ name: 'LowGPUUtilization', applies: false });
    expect(verdictOf(detailOf({ rules_seen: [ruleOf(), gpu] })).tone).toBe('good');
  });

  test.each([
    ['no data', blind()],
    ['an error', blind({ status: 'Error' })],
  ])('never an all-clear with a rule that could not check: %s', (_, rule) => {
    const { tone, words, more } = verdictOf(detailOf({ rules_seen: [ruleOf(), rule] }));
    expect(tone).toBe('quiet');
    expect(words).toBe('Not fully checked');
    expect(more).toBe('1 rule found no problems. NotLearning could not check this run.');
  });

  test('without a single rule that checked, nothing is known', () => {
    expect(verdictOf(detailOf({ rules_seen: [blind()] })).words).toBe('Not checked');
    expect(verdictOf(detailOf({ rules_seen: [] })).words).toBe('Not checked');
  });

  test('while a run trains, nothing is final', () => {
    const seen = ruleOf({ status: 'InProgress' });
    const waiting = ruleOf({ status: 'InProgress', coverage: { tensors: 0, steps: 0 } });
    const run = detailOf({ status: 'InProgress', rules_seen: [seen, waiting] });
    expect(verdictOf(run)).toEqual({
      tone: 'accent',
      words: 'No problems so far',
      more: '1 rule found no problems. 1 rule without data yet.',
    });
    expect(verdictOf({ ...run, rules_seen: [waiting] }).words).toBe('Waiting for data');
  });

  test('incidents come first, the worst sets the tone', () => {
    const found = ruleOf({ status: 'IssuesFound', findings: [findingOf()] });
    const incidents = [incidentOf(), incidentOf({ severity: 'warning' })];
    const run = detailOf({
      incidents,
      rules_seen: [found, ruleOf({ name: 'LossSpike' }), blind()],
    });
    expect(verdictOf(run)).toEqual({
      tone: 'bad',
      words: '1 problem, 1 warning',
      more: '1 other rule found nothing. NotLearning could not check this run.',
    });
    expect(verdictOf({ ...run, incidents: [incidentOf({ severity: 'note' })] }).tone).toBe('quiet');
  });
});

test('groupRules leaves out shadow rules and those with findings', () => {
  const found = ruleOf({ status: 'IssuesFound', findings: [findingOf()] });
  const groups = groupRules([found, ruleOf({ shadow: true }), blind(), blind({ applies: false })]);
  expect(groups.fine).toEqual([]);
  expect(groups.blind.length).toBe(1);
  expect(groups.inapplicable.length).toBe(1);
});
