import { expect, test } from 'vitest';
import { clientOf, columnsOf } from '../../api/runs_for_test';
import { askSeries } from './ask';

const { signal } = new AbortController();
const ASKED = { from: 1, to: 2, points: 10 };

test('keys are asked in parts, and the answers belong to them', async () => {
  const { client, asked } = clientOf(({ options }) => {
    const keys = options.query?.['key'] as string[];
    const columns = keys.flatMap((key, i) =>
      ['x', 'low', 'mean', 'high'].map((name) => [
        `${name}${i}`,
        Float64Array.of(Number(key.slice(1))),
      ]),
    );
    return {
      ok: true,
      value: columnsOf({}, Object.fromEntries(columns) as Record<string, Float64Array>),
    };
  });
  const keys = Array.from({ length: 100 }, (_, i) => `k${i}`);
  const answer = await askSeries(client, 'r', 'n', keys, ASKED, signal);
  expect(asked.map(({ options }) => (options.query?.['key'] as string[]).length)).toEqual([64, 36]);
  if (!answer.ok) throw new Error(answer.error.message);
  expect([...answer.value.keys()]).toEqual(keys);
  expect(answer.value.get('k99')?.mean).toEqual(Float64Array.of(99));
});

test('a refusal', async () => {
  const error = { status: 404, message: 'no such node' };
  const { client } = clientOf(() => ({ ok: false, error }));
  expect(await askSeries(client, 'r', 'n', ['k'], ASKED, signal)).toEqual({ ok: false, error });
});

test('no keys', async () => {
  const { client, asked } = clientOf(() => ({ ok: true, value: null }));
  expect(await askSeries(client, 'r', 'n', [], ASKED, signal)).toEqual({
    ok: true,
    value: new Map(),
  });
  expect(asked).toHaveLength(0);
});
