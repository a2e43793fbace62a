import { describe, expect, test } from 'vitest';
import { detailOf, findingOf, ruleOf } from '../../api/runs_for_test';
import type { RuleStatus } from '../../api/types';
import {
  byStatus,
  coverage,
  parameters,
  trouble,
  unsentWords,
  whyNotEvaluated,
} from './rule_words';

describe('byStatus', () => {
  const order = (...statuses: string[]): string[] =>
    byStatus(statuses.map((status) => ruleOf({ status: status as RuleStatus }))).map(
      ({ status }) => status,
    );

  test('problems first, unknown statuses last', () => {
    expect(order('NoIssuesFound', 'Paused', 'InProgress', 'IssuesFound', 'Error')).toEqual([
      'Error',
      'IssuesFound',
      'InProgress',
      'NoIssuesFound',
      'Paused',
    ]);
  });

  test('a running rule with findings is a problem; ties keep their order', () => {
    const rules = [
      ruleOf({ name: 'quiet', status: 'InProgress' }),
      ruleOf({ name: 'found', status: 'IssuesFound' }),
      ruleOf({ name: 'loud', status: 'InProgress', findings: [findingOf()] }),
    ];
    expect(byStatus(rules).map(({ name }) => name)).toEqual(['found', 'loud', 'quiet']);
  });
});

test('coverage', () => {
  expect(coverage(ruleOf({ coverage: { tensors: 1, steps: 1200 } }))).toBe(
    '1 tensor × 1,200 steps',
  );
  expect(coverage(ruleOf({ coverage: { tensors: 0, steps: 3 } }))).toBe('3 steps');
  expect(coverage(ruleOf({ coverage: { tensors: 0, steps: 0 } }))).toBe('0 tensors × 0 steps');
  expect(coverage(ruleOf({ kind: 'profiler' }))).toBe('–');
});

describe('whyNotEvaluated', () => {
  test.each([
    ['no gradients were saved', [], 'Not checked: no gradients were saved.'],
    ['not checked: no data', ['save gradients'], 'Not checked: no data. Save gradients.'],
    ['', [], 'Not checked: no reason was reported.'],
  ])('%j', (reason, notes, words) => {
    expect(whyNotEvaluated(ruleOf({ reason, notes }))).toBe(words);
  });
});

describe('trouble', () => {
  const blind = ruleOf({ status: 'InProgress', coverage: { tensors: 0, steps: 0 } });

  test('an error', () => {
    const rule = ruleOf({ status: 'Error', reason: 'it crashed' });
    expect(trouble(rule, detailOf())).toEqual({ heading: 'Failed:', words: 'it crashed.' });
  });

  test('a running rule that sees nothing, once steps were saved', () => {
    expect(trouble(blind, detailOf())?.heading).toBe('No data yet:');
    const early = detailOf({ progress: { ...detailOf().progress, steps: 0 } });
    expect(trouble(blind, early)).toBeNull();
  });

  test('what is known to be missing is named', () => {
    const reason = 'DebugHookConfig saves only losses; DeadRelu needs relu_output';
    expect(trouble({ ...blind, reason }, detailOf())?.words).toBe(`${reason}.`);
  });

  test('nothing', () => {
    expect(trouble(ruleOf({ status: 'InProgress' }), detailOf())).toBeNull();
    expect(trouble({ ...blind, kind: 'profiler' }, detailOf())).toBeNull();
    expect(trouble({ ...blind, status: 'NoIssuesFound' }, detailOf())).toBeNull();
  });
});

test('messages that nobody gets', () => {
  const unsent = 'email to a@b.c: no mail server configured; set WARDEN_SMTP_URL';
  const rules = [
    ruleOf({ name: 'A', status: 'InProgress', unsent }),
    ruleOf({ name: 'B', status: 'IssuesFound', unsent }),
    ruleOf({ name: 'C', unsent: '' }),
    ruleOf({ name: 'D' }),
  ];
  expect(unsentWords(rules)).toEqual([
    `A: a message will not be sent: ${unsent}.`,
    `B: a message was not sent: ${unsent}.`,
  ]);
});

test('parameters', () => {
  expect(parameters(ruleOf({ parameters: { threshold: '1', mode: 'TRAIN' } }))).toBe(
    'threshold=1; mode=TRAIN',
  );
  expect(parameters(ruleOf())).toBe('');
});
