import { describe, expect, test } from 'vitest';
import { clientOf, columnsOf, detailOf, findingOf, tensorOf } from '../../api/runs_for_test';
import type { Finding } from '../../api/types';
import { askEvidence, type Evidence, evidenceOf } from './evidence';

describe('evidenceOf', () => {
  const shown = (
    rule: string,
    statistics: string[],
    changes: Partial<Finding> = {},
  ): [string, number | undefined] | null => {
    const tensors = new Map([['g', tensorOf('g', { statistics })]]);
    const found = evidenceOf(rule, findingOf(changes), tensors);
    return found && [found.statistic, found.threshold];
  };

  test.each([
    ['VanishingGradient', ['mean', 'abs_mean'], {}, ['abs_mean', 1e-7]],
    ['VanishingGradient', ['mean'], {}, ['mean', undefined]],
    ['AllZero', ['zeros'], { threshold: 90 }, ['zeros', 0.9]],
    ['LossSpike', ['value'], {}, ['value', undefined]],
    ['MyOwnRule', ['l2'], { threshold: 'NaN' }, ['l2', undefined]],
    ['TensorVariance', ['variance'], { threshold: 'Infinity' }, ['variance', undefined]],
    ['constructor', ['l2'], {}, ['l2', undefined]],
    ['MyOwnRule', ['q99'], {}, ['q99', undefined]],
  ] as [string, string[], Partial<Finding>, [string, number | undefined]][])(
    '%s with %j',
    (rule, statistics, changes, expected) => {
      const [statistic, threshold] = shown(rule, statistics, changes) ?? [];
      expect(statistic).toBe(expected[0]);
      if (expected[1] === undefined) expect(threshold).toBeUndefined();
      else expect(threshold).toBeCloseTo(expected[1], 12);
    },
  );

  test('nothing to show', () => {
    expect(shown('VanishingGradient', [])).toBeNull();
    expect(shown('VanishingGradient', ['mean'], { tensor: 'other' })).toBeNull();
    expect(shown('VanishingGradient', ['mean'], { step: -1 })).toBeNull();
  });
});

describe('askEvidence', () => {
  const evidence = (tensor: string, worker: string): Evidence => ({
    tensor,
    statistic: 'mean',
    step: 1,
    worker,
  });
  const { signal } = new AbortController();

  test('one request per worker; the answers come in the order of the questions', async () => {
    const { client, asked } = clientOf(({ options }) => {
      const tensors = options.query?.['tensor'] as string[];
      const series = tensors.map((tensor) => ({ tensor, found: tensor !== 'missing' }));
      const columns = tensors.map((name, i) => [`x${i}`, Float64Array.of(name.charCodeAt(0))]);
      return {
        ok: true,
        value: columnsOf({ series }, Object.fromEntries(columns) as Record<string, Float64Array>),
      };
    });
    const wanted = [
      evidence('a', 'w0'),
      evidence('b', 'w1'),
      evidence('missing', 'w0'),
      evidence('c', 'w0'),
    ];
    const answers = await askEvidence(client, detailOf(), wanted, signal);
    expect(answers.map((series) => series && String.fromCharCode(series.x[0] ?? 0))).toEqual([
      'a',
      'b',
      null,
      'c',
    ]);
    expect(asked.map(({ options }) => options.query?.['worker'])).toEqual(['w0', 'w1']);
  });

  test('a refusal leaves the curves out', async () => {
    const { client } = clientOf(() => ({ ok: false, error: { status: 500, message: '' } }));
    expect(await askEvidence(client, detailOf(), [evidence('a', '')], signal)).toEqual([null]);
  });

  test('nothing', async () => {
    const { client, asked } = clientOf(() => ({ ok: true, value: null }));
    expect(await askEvidence(client, detailOf(), [], signal)).toEqual([]);
    expect(asked).toHaveLength(0);
  });
});
