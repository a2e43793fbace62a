import { expect, test, vi } from 'vitest';
import type { Answer, AskOptions, Client } from '../../api/client';
import { columnsOf } from '../../api/runs_for_test';
import { CounterStore } from './counter_store';
import type { Counter } from './model/counters';

const START = 1.7e15; // Microseconds since 1970.

const counterOf = (node: string): Counter =>
  ({ id: `${node} cpu`, node, key: 'cpu' }) as unknown as Counter;

test('metrics of a host whose clock was moved stand below its events', async () => {
  const asked = new Map<unknown, number>();
  const columns = (_: string, { query }: AskOptions): Promise<Answer<unknown>> => {
    asked.set(query?.['node'], query?.['from'] as number);
    // Half a second after the start of the timeline, by the clock of the first host.
    const x0 = START / 1e6 + (query?.['node'] === 'algo-2' ? 2.5 : 0.5);
    return Promise.resolve({
      ok: true,
      value: columnsOf(null, { x0: Float64Array.of(x0), mean0: Float64Array.of(7) }),
    });
  };
  const arrived = vi.fn();
  const store = new CounterStore({ columns } as unknown as Client, 'r', vi.fn(), arrived);
  store.clocks = [{ host: 'b', metrics: 'algo-2', moved: -2e6, error: 100, text: '' }];
  const counters = ['algo-1', 'algo-2'].map(counterOf);
  store.want(counters, [0, 1e6], START, 100);
  await vi.waitFor(() => expect(arrived).toHaveBeenCalledTimes(2));
  expect(asked.get('algo-1')).toBeCloseTo(START / 1e6 - 0.5, 5);
  expect(asked.get('algo-2')).toBeCloseTo(START / 1e6 + 1.5, 5);
  for (const counter of counters)
    expect(Math.round(store.of(counter)?.times[0] ?? NaN)).toBe(500_000);
});
