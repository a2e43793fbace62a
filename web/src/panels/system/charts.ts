// The series of a node by chart: what each requests from the server and what it shows.

import type { Column } from '../../api/columns';
import type { MetricInfo, MetricList } from '../../api/types';
import type { PlotSeries } from '../../plots/series_plot';

export type Node = MetricList['nodes'][number];

export interface Line {
  key: string;
  name: string;
  colour: number;
}

export interface Chart {
  id: string;
  label: string;
  unit: string;
  y: [number | null, number | null];
  lines: Line[];
}

const PERCENT: [number, number] = [0, 100];

const metric = (
  node: Node,
  type: string,
  name: string,
  dimension: string,
): MetricInfo | undefined =>
  node.metrics.find((one) => one.type === type && one.name === name && one.dimension === dimension);

// The mean and the selected devices.
function deviceLines(
  node: Node,
  whole: string,
  type: string,
  dimension: string,
  chosen: readonly string[],
): Line[] {
  const lines: Line[] = [{ key: whole, name: 'Mean', colour: 0 }];
  chosen.forEach((name, i) => {
    const found = metric(node, type, name, dimension);
    if (found) lines.push({ key: found.key, name, colour: i + 1 });
  });
  return lines;
}

const WORDS: Record<string, string> = {
  ReceiveBytesPerSecond: 'In',
  TransmitBytesPerSecond: 'Out',
  ReadThroughputInBytesPerSecond: 'Read',
  WriteThroughputInBytesPerSecond: 'Write',
};

// Both directions, if the node reports them separately.
function flowLines(node: Node, whole: string, names: string[]): Line[] {
  // Only the network traffic of the training, not of other programs.
  const isOurs = ({ type, dimension }: MetricInfo): boolean =>
    type !== 'network' || dimension === 'Algorithm';
  const found = names.flatMap(
    (name) => node.metrics.find((one) => one.name === name && isOurs(one)) ?? [],
  );
  if (found.length === 0) return [{ key: whole, name: 'Both directions', colour: 0 }];
  return found.map(({ key, name }, colour) => ({ key, name: WORDS[name] ?? name, colour }));
}

export function chartsOf(node: Node, cores: readonly string[], gpus: readonly string[]): Chart[] {
  const has = (name: string): boolean => node.metrics.some((one) => one.name === name);
  const charts: Chart[] = [
    {
      id: 'cpu',
      label: 'CPU utilization',
      unit: '%',
      y: PERCENT,
      lines: deviceLines(node, 'cpu', 'cpu', 'CPUUtilization', cores),
    },
    {
      id: 'io',
      label: 'I/O wait',
      unit: '%',
      y: [0, null],
      lines: deviceLines(node, 'io_wait', 'cpu', 'I/OWaitPercentage', cores),
    },
  ];
  if (node.gpus.length > 0) {
    charts.push(
      {
        id: 'gpu',
        label: 'GPU utilization',
        unit: '%',
        y: PERCENT,
        lines: deviceLines(node, 'gpu', 'gpu', 'GPUUtilization', gpus),
      },
      {
        id: 'gpu-memory',
        label: 'GPU memory',
        unit: '%',
        y: PERCENT,
        lines: deviceLines(node, 'gpu_memory', 'gpu', 'GPUMemoryUtilization', gpus),
      },
    );
  }
  if (has('MemoryUsedPercent')) {
    charts.push({
      id: 'memory',
      label: 'Memory',
      unit: '%',
      y: PERCENT,
      lines: [{ key: 'memory', name: 'Used', colour: 0 }],
    });
  }
  if (node.metrics.some(({ type }) => type === 'network')) {
    const lines = flowLines(node, 'network', ['ReceiveBytesPerSecond', 'TransmitBytesPerSecond']);
    charts.push({ id: 'network', label: 'Network', unit: 'B/s', y: [0, null], lines });
  }
  if (has('ReadThroughputInBytesPerSecond') || has('WriteThroughputInBytesPerSecond')) {
    const lines = flowLines(node, 'disk', [
      'ReadThroughputInBytesPerSecond',
      'WriteThroughputInBytesPerSecond',
    ]);
    charts.push({ id: 'disk', label: 'Disk', unit: 'B/s', y: [0, null], lines });
  }
  return charts;
}

// All keys that the charts need, without duplicates.
export const keysOf = (charts: readonly Chart[]): string[] => [
  ...new Set(charts.flatMap(({ lines }) => lines.map(({ key }) => key))),
];

export type Answered = Map<string, { x: Column; low: Column; mean: Column; high: Column }>;

export const seriesOf = (chart: Chart, answered: Answered): PlotSeries[] =>
  chart.lines.flatMap(({ key, name, colour }) => {
    const found = answered.get(key);
    return found ? [{ name, colour, ...found }] : [];
  });
