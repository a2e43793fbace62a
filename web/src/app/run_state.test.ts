import { describe, expect, test, vi } from 'vitest';
import { detailOf, findingOf, ruleOf } from '../api/runs_for_test';
import { isNewFinding, withFinding, withSteps } from './run_state';

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

test('isNewFinding', () => {
  expect(isNewFinding(RUN, 'R', findingOf({ id: 9 }))).toBe(true);
  expect(isNewFinding(RUN, 'S', findingOf({ id: 9 }))).toBe(false);
  expect(isNewFinding(RUN, 'Other', findingOf())).toBe(true);
});

test('withSteps', () => {
  vi.spyOn(Date, 'now').mockReturnValue(1_234_500);
  const run = withSteps(RUN, { last_step: 600, steps: 61 });
  expect(run.last_step).toBe(600);
  expect(run.progress).toMatchObject({ last_step: 600, steps: 61, last_time: 1234.5 });
  expect(RUN.last_step).toBe(500);
});
