import { describe, expect, test } from 'vitest';
import type { MetricInfo } from '../../api/types';
import { type Answered, chartsOf, keysOf, type Node, seriesOf } from './charts';

const metric = (type: string, name: string, dimension = ''): MetricInfo => ({
  key: `${type}/${name}/${dimension}`,
  type,
  name,
  dimension,
  unit: '',
});
const nodeOf = (metrics: MetricInfo[] = [], gpus: string[] = []): Node => ({
  name: 'algo-1',
  cores: ['cpu0', 'cpu1'],
  gpus,
  metrics,
});
const ids = (node: Node): string[] => chartsOf(node, [], []).map(({ id }) => id);

describe('chartsOf', () => {
  test('what the node measures', () => {
    expect(ids(nodeOf())).toEqual(['cpu', 'io']);
    expect(ids(nodeOf([], ['gpu0']))).toEqual(['cpu', 'io', 'gpu', 'gpu-memory']);
    const metrics = [
      metric('memory', 'MemoryUsedPercent'),
      metric('network', 'ReceiveBytesPerSecond', 'Algorithm'),
      metric('disk', 'WriteThroughputInBytesPerSecond'),
    ];
    expect(ids(nodeOf(metrics))).toEqual(['cpu', 'io', 'memory', 'network', 'disk']);
  });

  test('the mean, then the chosen devices that are measured', () => {
    const node = nodeOf([metric('cpu', 'cpu1', 'CPUUtilization')]);
    const [cpu] = chartsOf(node, ['cpu0', 'cpu1'], []);
    expect(cpu?.lines).toEqual([
      { key: 'cpu', name: 'Mean', colour: 0 },
      { key: 'cpu/cpu1/CPUUtilization', name: 'cpu1', colour: 2 },
    ]);
  });

  test('network traffic of the training only', () => {
    const lines = (...metrics: MetricInfo[]): string[] | undefined =>
      chartsOf(nodeOf(metrics), [], [])
        .find(({ id }) => id === 'network')
        ?.lines.map(({ name }) => name);
    const [ours, other] = ['Algorithm', 'Platform'].map((dimension) =>
      metric('network', 'TransmitBytesPerSecond', dimension),
    ) as [MetricInfo, MetricInfo];
    expect(lines(other, ours, metric('network', 'ReceiveBytesPerSecond', 'Algorithm'))).toEqual([
      'In',
      'Out',
    ]);
    expect(lines(other)).toEqual(['Both directions']);
    expect(lines()).toBeUndefined();
  });
});

test('keysOf: each once', () => {
  const charts = chartsOf(nodeOf([], ['gpu0']), [], []);
  expect(keysOf([...charts, ...charts])).toEqual(['cpu', 'io_wait', 'gpu', 'gpu_memory']);
  expect(keysOf([])).toEqual([]);
});

test('seriesOf: what was answered', () => {
  const [cpu] = chartsOf(nodeOf([metric('cpu', 'cpu0', 'CPUUtilization')]), ['cpu0'], []);
  const column = Float64Array.of(1);
  const answered: Answered = new Map([
    ['cpu', { x: column, low: column, mean: column, high: column }],
  ]);
  if (!cpu) throw new Error('no chart');
  expect(seriesOf(cpu, answered).map(({ name }) => name)).toEqual(['Mean']);
  expect(seriesOf(cpu, new Map())).toEqual([]);
});
