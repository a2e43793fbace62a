import { describe, expect, test } from 'vitest';
import { detailOf, incidentOf } from '../../api/runs_for_test';
import type { RunDetail, RunFacts } from '../../api/types';
import { recorded, verdictOf } from './run_words';

const rules = (changes: Partial<RunDetail['rules']>): RunDetail =>
  detailOf({ rules: { ...detailOf().rules, ...changes } });

describe('verdictOf', () => {
  test('NaN is called by its name', () => {
    const nan = incidentOf({ rule: 'Divergence', headline: 'the loss is NaN', since: 'step 51' });
    expect(verdictOf(detailOf({ incidents: [nan] }))).toEqual({
      tone: 'bad',
      words: 'NaN since step 51',
      more: 'the loss is NaN',
    });
  });

  test('other incidents by their rule, and how many there are', () => {
    const one = incidentOf({
      rule: 'Overfitting',
      headline: 'it rises',
      since: 'step 7',
      severity: 'warning',
    });
    expect(verdictOf(detailOf({ incidents: [one, one, one] }))).toMatchObject({
      tone: 'warning',
      words: 'Overfitting since step 7, and 2 more',
    });
  });

  test.each([
    [{ total: 3 }, 'good', 'No problems found'],
    [{ total: 0 }, 'quiet', 'No rules were evaluated'],
    [{ total: 3, no_data: 1 }, 'warning', 'Not fully checked'],
    [{ total: 3, errors: 1 }, 'warning', 'Not fully checked'],
  ])('%j: %s, %s', (changes, tone, words) => {
    expect(verdictOf(rules(changes))).toMatchObject({ tone, words });
  });

  test('a run that continues is fine so far', () => {
    expect(verdictOf({ ...rules({ total: 1 }), status: 'InProgress' }).words).toBe(
      'No problems found so far',
    );
  });
});

describe('recorded', () => {
  const facts: RunFacts = {
    hyper_parameters: {},
    command: ['python', 'train.py'],
    git: {
      commit: '0123456789abcdef',
      branch: 'main',
      dirty: true,
      diff: 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-old\n+new\n+more\n',
      diff_cut: false,
    },
    python: { version: '3.11.2', program: 'python', packages: {} },
    machine: { host: 'h', system: 'Linux', cpu: 'X', cores: 2, memory: 2 ** 33, gpus: [] },
  };

  test('names and values', () => {
    expect(recorded(facts)).toEqual({
      Command: 'python train.py',
      'Git commit': '0123456789ab with changes',
      'Git branch': 'main',
      'Uncommitted changes': '1 file, 2 lines added, 1 removed',
      Python: '3.11.2',
      Host: 'h',
      System: 'Linux',
      CPU: 'X (2 cores)',
      Memory: '8 GiB',
      GPUs: 'none',
    });
  });

  test('nothing was recorded', () => {
    expect(recorded({ hyper_parameters: {} })).toEqual({});
    expect(recorded(undefined)).toEqual({});
  });
});
