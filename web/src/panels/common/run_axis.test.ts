import { describe, expect, test, vi } from 'vitest';
import {
  clientOf,
  columnsOf,
  detailOf,
  findingOf,
  listOf,
  ruleOf,
  tensorOf,
} from '../../api/runs_for_test';
import type { XAxis } from './chart_look';
import { RunAxis } from './run_axis';
import { StepTimes } from './step_times';

const RUN = detailOf({
  started: 100,
  rules_seen: [ruleOf({ name: 'A', findings: [findingOf({ step: 5 })] })],
});
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

// Of a run with epochs of 20 steps, which saved step 5 before it was started: it is a copy.
function axisOf(x: XAxis, run: typeof RUN | null = RUN) {
  const { client } = clientOf(({ path }) => {
    const series = [{ tensor: 'training/epoch' }];
    const steps = Float64Array.of(0, 20, 40);
    const value = path.endsWith('/steps')
      ? columnsOf({}, { step: Uint32Array.of(5), time: Float64Array.of(90) })
      : columnsOf({ series }, { x0: steps, low0: Float64Array.of(0, 1, 2) });
    return { ok: true, value };
  });
  const changed = vi.fn();
  const times = new StepTimes(client, 'r', () => axis.mark());
  const axis: RunAxis = new RunAxis(client, 'r', times, run, x, changed);
  return { axis, changed };
}

const listWith = (...names: string[]) =>
  listOf(names.map((name) => tensorOf(name, { statistics: ['value'] })));

describe('RunAxis', () => {
  test('steps: findings are marked as soon as the run is known', () => {
    const { axis, changed } = axisOf('step', null);
    expect(axis.known).toBe(true);
    axis.setRun(RUN);
    expect(axis.marks.map(({ x }) => x)).toEqual([5]);
    axis.setRun(RUN);
    expect(changed.mock.calls).toEqual([[false]]);
  });

  test('relative times begin with the first step of a run that was copied', async () => {
    const { axis, changed } = axisOf('relative', null);
    expect(axis.known).toBe(false);
    axis.setRun(RUN);
    expect(axis.known).toBe(true);
    await settled();
    expect(axis.scale.at(95)).toBe(5);
    expect(axis.marks.map(({ x }) => x)).toEqual([0]);
    expect(changed).toHaveBeenLastCalledWith(true);
  });

  test('epochs: known when the run has told them', async () => {
    const { axis, changed } = axisOf('epoch');
    expect(axis.known).toBe(false);
    axis.setTensors(listWith('training/epoch'));
    await settled();
    expect(changed).toHaveBeenLastCalledWith(true);
    expect([axis.known, axis.scale.axis, axis.scale.at(30)]).toEqual([true, 'epoch', 1.5]);
    expect(axis.axes).toContain('epoch');
    axis.choose('step');
    expect(axis.scale.at(30)).toBe(30);
  });

  test('epochs that a run does not have: steps', () => {
    const { axis } = axisOf('epoch');
    axis.setTensors(listWith('loss'));
    expect([axis.known, axis.scale.axis]).toEqual([true, 'step']);
  });
});
