import { describe, expect, test } from 'vitest';
import type { Rank } from '../../api/types';
import { clockWords, rankVerdict, stepShares } from './rank_words';

const rankOf = (worker: string, own: number | null, more: Partial<Rank> = {}): Rank => ({
  worker,
  steps: 50,
  step_seconds: 0.1,
  own_seconds: own,
  exchange_seconds: own === null ? null : 0.1 - own,
  loader_seconds: 0.005,
  clock: null,
  slow: false,
  ...more,
});

describe('rankVerdict', () => {
  test('names the slow one', () => {
    const ranks = [rankOf('worker_0', 0.02), rankOf('worker_1', 0.09, { slow: true })];
    expect(rankVerdict(ranks)).toEqual({
      words:
        'worker_1 is slower than the others: it needs 90 ms for its part of a step, the others 20 ms. They wait for it.',
      slow: true,
    });
  });

  test('nobody', () => {
    const { words, slow } = rankVerdict([rankOf('worker_0', 0.02), rankOf('worker_1', 0.02)]);
    expect(words).toBe('No rank is slower than the others.');
    expect(slow).toBe(false);
  });

  test('not measured', () => {
    expect(rankVerdict([rankOf('worker_0', null), rankOf('worker_1', null)]).words).toContain(
      'not known',
    );
  });
});

test('clockWords', () => {
  const clock = { offset: -0.0025, error: 0.0001, exchanges: 40 };
  expect(clockWords(rankOf('worker_1', 0.1, { clock }), false)).toBe('−2.5 ms ± 100 µs');
  expect(clockWords(rankOf('worker_0', 0.1, { clock }), true)).toBe('reference');
  expect(clockWords(rankOf('worker_0', 0.1), false)).toBe('–');
});

test('stepShares', () => {
  const [work, data, wait] = stepShares(rankOf('worker_0', 0.02), 0.1);
  expect(work).toBeCloseTo(0.15);
  expect(data).toBeCloseTo(0.05);
  expect(wait).toBeCloseTo(0.8);
  expect(stepShares(rankOf('worker_0', null), 0.1)).toEqual([0, 0, 0]);
});
