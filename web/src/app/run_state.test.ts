import { describe, expect, test, vi } from 'vitest';
import { detailOf, effectOf, findingOf, incidentOf, ruleOf } from '../api/runs_for_test';
import type { Incident } from '../api/types';
import { newIncidents, withFinding, withSteps } from './run_state';

const RUN = detailOf({
  findings: 0,
  rules_seen: [ruleOf({ name: 'R' }), ruleOf({ name: 'S', findings: [findingOf({ id: 9 })] })],
});

describe('withFinding', () => {
  test('a finding is counted once', () => {
    const once = withFinding(RUN, 'R', findingOf());
    const again = withFinding(once, 'R', findingOf({ last_step: 9 }));
    expect([once.findings, again.findings]).toEqual([1, 1]);
    expect(again.rules_seen[0]?.findings).toEqual([findingOf({ last_step: 9 })]);
  });

  test('the same number of another rule is another finding', () => {
    expect(withFinding(RUN, 'R', findingOf({ id: 9 })).findings).toBe(1);
    expect(withFinding(RUN, 'S', findingOf({ id: 9 })).findings).toBe(0);
  });

  test('a rule that is not known yet changes nothing', () => {
    expect(withFinding(RUN, 'Other', findingOf())).toBe(RUN);
  });

  test('only the rule changes, and the old run not at all', () => {
    const changed = withFinding(RUN, 'R', findingOf());
    expect(changed.rules_seen[1]).toBe(RUN.rules_seen[1]);
    expect(changed.rules_seen).not.toBe(RUN.rules_seen);
    expect(RUN.rules_seen[0]?.findings).toEqual([]);
  });
});

describe('newIncidents', () => {
  const spike = incidentOf({ rule: 'LossSpike', finding: 1 });
  const before = detailOf({ incidents: [spike] });
  const begun = (...incidents: Incident[]): string[] =>
    newIncidents(before, detailOf({ incidents })).map(({ rule }) => rule);

  test('one that has begun', () => {
    expect(begun(spike, incidentOf({ rule: 'SlowDataLoader' }))).toEqual(['SlowDataLoader']);
    expect(begun(spike, incidentOf({ rule: 'LossSpike', finding: 2 }))).toEqual(['LossSpike']);
  });

  test('one that has grown is not new', () => {
    expect(begun(incidentOf({ rule: 'LossSpike', findings: 5, last_step: 90 }))).toEqual([]);
  });

  test('nor is one whose cause is known now', () => {
    const effects = [effectOf({ rule: 'LossSpike', finding: 1 })];
    expect(begun(incidentOf({ rule: 'Divergence', effects }))).toEqual([]);
  });
});

test('withSteps', () => {
  vi.spyOn(Date, 'now').mockReturnValue(1_234_500);
  const run = withSteps(RUN, { last_step: 600, steps: 61 });
  expect(run.last_step).toBe(600);
  expect(run.progress).toMatchObject({ last_step: 600, steps: 61, last_time: 1234.5 });
  expect(RUN.last_step).toBe(500);
});
