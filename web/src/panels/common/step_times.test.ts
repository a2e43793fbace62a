import { describe, expect, test, vi } from 'vitest';
import { clientOf, columnsOf } from '../../api/runs_for_test';
import { StepTimes } from './step_times';

function timesOf(step: number[], time: number[]) {
  const value = columnsOf({}, { step: Uint32Array.from(step), time: Float64Array.from(time) });
  const { client, asked } = clientOf(() => ({ ok: true, value }));
  const changed = vi.fn();
  return { times: new StepTimes(client, 'r', changed), asked, changed };
}

describe('StepTimes', () => {
  test('unknown until asked', async () => {
    const { times, asked, changed } = timesOf([0, 10, 20], [100, 110, 120]);
    expect(times.at(10)).toBeNull();
    times.want(10);
    times.want(20);
    await Promise.resolve();
    expect(asked).toHaveLength(1);
    expect(changed).toHaveBeenCalledTimes(1);
    expect([0, 10, 20].map((step) => times.at(step))).toEqual([100, 110, 120]);
  });

  test('only steps that were saved, with a time', async () => {
    const { times } = timesOf([0, 10, 20], [100, NaN, 120]);
    times.want(0);
    await Promise.resolve();
    expect([-1, 5, 10, 21].map((step) => times.at(step))).toEqual([null, null, null, null]);
  });

  test('a step that is not there is asked for again only when there are more', async () => {
    const { times, asked } = timesOf([0], [100]);
    for (let i = 0; i < 3; ++i) {
      times.want(99);
      await Promise.resolve();
    }
    expect(asked).toHaveLength(1);
    times.grow();
    times.want(99);
    expect(asked).toHaveLength(2);
    await Promise.resolve();
    times.grow();
    times.want(0);
    expect(asked).toHaveLength(2);
  });

  test('a step before the last may come later: the server reads steps in any order', async () => {
    const { times, asked } = timesOf([0, 99], [100, 199]);
    expect(times.of(60)).toBeNull();
    await Promise.resolve();
    expect(times.of(60)).toBeNull();
    expect(asked).toHaveLength(1);
    times.grow();
    times.of(60);
    expect(asked).toHaveLength(2);
  });

  test('the first time that is known', async () => {
    const { times, changed } = timesOf([0, 10, 20], [NaN, 110, 120]);
    expect(times.begin()).toBeNull();
    await Promise.resolve();
    expect(changed).toHaveBeenCalledTimes(1);
    expect(times.begin()).toBe(110);
  });

  test('nothing saved', async () => {
    const { times, changed } = timesOf([], []);
    times.want(0);
    await Promise.resolve();
    expect(times.at(0)).toBeNull();
    expect(changed).not.toHaveBeenCalled();
  });
});
