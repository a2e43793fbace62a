import { describe, expect, test } from 'vitest';
import { detailOf, incidentOf } from '../../api/runs_for_test';
import type { RunDetail } from '../../api/types';
import { verdictOf } from './run_words';

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
