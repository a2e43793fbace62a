import { describe, expect, test } from 'vitest';
import { detailOf, effectOf, findingOf, incidentOf, ruleOf } from '../../api/runs_for_test';
import type { RunDetail } from '../../api/types';
import { causeOf, incidentLinks } from './incident_links';

const incident = incidentOf({ rule: 'NaNOrigin', finding: 4 });
const finding = findingOf({ id: 4, tensor: 'fc.weight', step: 51 });
const run = (has: Partial<RunDetail['has']> = {}): RunDetail =>
  detailOf({
    id: 'a/b',
    has: { tensors: true, metrics: true, timeline: true, reports: true, logs: true, ...has },
    rules_seen: [
      ruleOf({ name: 'NaNOrigin', status: 'IssuesFound', findings: [findingOf(), finding] }),
    ],
  });
const words = (...args: Parameters<typeof incidentLinks>): string[] =>
  incidentLinks(...args).map((link) => link.words);

test('causeOf finds the finding by rule and id', () => {
  expect(causeOf(run(), incident)?.finding).toBe(finding);
  expect(causeOf(run(), incidentOf({ rule: 'Gone' }))).toBe(null);
  expect(causeOf(run(), incidentOf({ rule: 'NaNOrigin', finding: 77 }))).toBe(null);
});

describe('incidentLinks', () => {
  test('lead to everything that the run has', () => {
    expect(words(run(), incident, 1000.5)).toEqual([
      'Tensor at step 51',
      'Machine at that time',
      'Timeline at that time',
      'Log at that time',
    ]);
    const [tensor, machine] = incidentLinks(run(), incident, 1000.5);
    expect(tensor?.address).toBe('#/run/a%2Fb/tensors?tensor=fc.weight&step=51&mode=GLOBAL');
    expect(machine?.address).toBe('#/run/a%2Fb/system?at=1000.5');
  });

  test('and to nothing else', () => {
    const has = { tensors: false, metrics: false, timeline: false, logs: false };
    expect(words(run(has), incident, 1000)).toEqual([]);
    expect(words(run(), incident, null)).toEqual(['Tensor at step 51']);
    expect(words(run(), incidentOf({ rule: 'Gone' }), 1000)).toEqual([]);
  });

  test('to all layers if several tensors are concerned', () => {
    const many = incidentOf({ ...incident, effects: [effectOf({ tensors: 18 })] });
    expect(words(run(), many, null)).toEqual(['Tensor at step 51', 'All layers']);
    expect(incidentLinks(run(), many, null)[1]?.address).toBe('#/run/a%2Fb/layers?step=51');
  });
});
