import { describe, expect, test } from 'vitest';
import type { MetricList } from '../../../api/types';
import { type Counter, type CounterData, countersOf, topOf, valueAt } from './counters';

const metric = (type: string, name: string, dimension: string) => ({
  key: `${type}/${name}/${dimension}`,
  type,
  name,
  dimension,
  unit: '%',
});

const listOf = (...nodes: MetricList['nodes']): MetricList => ({
  start: 0,
  end: 1,
  interval: 1,
  nodes,
  state: { done: true, read: 1, total: 1 },
  problems: [],
});

const GPUS = {
  name: 'algo-1',
  cores: ['cpu0'],
  gpus: ['gpu0', 'gpu1'],
  metrics: [
    metric('cpu', 'cpu0', 'CPUUtilization'),
    metric('cpu', 'cpu0', 'I/OWaitPercentage'),
    ...['gpu0', 'gpu1'].flatMap((gpu) => [
      metric('gpu', gpu, 'GPUUtilization'),
      metric('gpu', gpu, 'GPUMemoryUtilization'),
    ]),
  ],
};

describe('the counters of a machine', () => {
  test('utilization of the CPU and of each GPU, then the rest', () => {
    expect(countersOf(listOf(GPUS)).map(({ title, utilization }) => [title, utilization])).toEqual([
      ['CPU utilization', true],
      ['GPU utilization, mean', true],
      ['GPU 0 utilization', true],
      ['GPU 1 utilization', true],
      ['I/O wait', false],
      ['GPU 0 memory', false],
      ['GPU 1 memory', false],
    ]);
  });

  test('ids tell nodes apart', () => {
    const ids = countersOf(listOf(GPUS, { ...GPUS, name: 'algo-2' })).map(({ id }) => id);
    expect(new Set(ids).size).toBe(14);
  });

  test('nothing that was not measured', () => {
    expect(countersOf(listOf({ name: 'a', cores: [], gpus: [], metrics: [] }))).toEqual([]);
  });
});

const DATA: CounterData = {
  times: Float64Array.of(0, 10, 20),
  values: Float64Array.of(5, NaN, 7),
};

test.each([
  [-1, NaN],
  [0, 5],
  [9, 5],
  [10, NaN],
  [25, 7],
])('the value at %s is %s', (time, value) => {
  expect(valueAt(DATA, time)).toBe(value);
});

test('the scale ends at 100 %, or at the largest value in sight', () => {
  const counter = (top: number | null): Counter => ({
    id: 'a/cpu',
    node: 'a',
    key: 'cpu',
    title: 'CPU',
    unit: top ? '%' : 'B/s',
    top,
    utilization: true,
  });
  expect(topOf(counter(100), DATA, 0, 20)).toBe(100);
  expect(topOf(counter(null), DATA, 0, 5)).toBe(5);
  expect(topOf(counter(null), DATA, 0, 20)).toBe(7);
  expect(topOf(counter(null), DATA, 30, 40)).toBe(1);
});
