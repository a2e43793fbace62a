// Utilization and counters of the machine, as tracks of the timeline.

import type { MetricInfo, MetricList } from '../../../api/types';

export interface Counter {
  readonly id: string; // Unique.
  readonly node: string;
  readonly key: string; // As the server calls the metric.
  readonly title: string;
  readonly unit: string;
  readonly top: number | null; // Of the scale; null: the largest value in sight.
  readonly utilization: boolean; // Shown at first; the others are in a closed group.
}

// Times in microseconds since the start of the timeline, ascending; NaN where nothing was measured.
export interface CounterData {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

type Node = MetricList['nodes'][number];

// "GPU 0" of "gpu0".
const gpuName = (name: string): string => name.replace(/^gpu[ _-]?(\d+)$/i, 'GPU $1');

function ofNode(node: Node): Counter[] {
  const made: Counter[] = [];
  const add = (key: string, title: string, unit: string, utilization: boolean): void => {
    const top = unit === '%' ? 100 : null;
    made.push({ id: `${node.name}/${key}`, node: node.name, key, title, unit, top, utilization });
  };
  const has = (test: (metric: MetricInfo) => boolean): boolean => node.metrics.some(test);
  if (node.cores.length > 0) add('cpu', 'CPU utilization', '%', true);
  if (node.gpus.length > 1) add('gpu', 'GPU utilization, mean', '%', true);
  const gpus = (dimension: string, words: string, utilization: boolean): void => {
    for (const name of node.gpus) {
      const metric = node.metrics.find((one) => one.name === name && one.dimension === dimension);
      if (metric) add(metric.key, `${gpuName(name)} ${words}`, '%', utilization);
    }
  };
  gpus('GPUUtilization', 'utilization', true);
  if (has(({ dimension }) => dimension === 'I/OWaitPercentage'))
    add('io_wait', 'I/O wait', '%', false);
  if (has(({ type }) => type === 'memory')) add('memory', 'Memory', '%', false);
  gpus('GPUMemoryUtilization', 'memory', false);
  if (has(({ type }) => type === 'network')) add('network', 'Network', 'B/s', false);
  if (has(({ type }) => type === 'disk' || type === 'io')) add('disk', 'Disk', 'B/s', false);
  return made;
}

export const countersOf = ({ nodes }: MetricList): Counter[] => nodes.flatMap(ofNode);

// The value at a time: that of the last measurement before it. NaN if there is none, or none near.
export function valueAt({ times, values }: CounterData, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? NaN : (values[low - 1] ?? NaN);
}

// What the scale ends at: the given value, or the largest one in the window.
export function topOf(counter: Counter, data: CounterData, from: number, to: number): number {
  if (counter.top !== null) return counter.top;
  let most = 0;
  data.values.forEach((value, i) => {
    const time = data.times[i] ?? 0;
    if (time >= from && time <= to && value > most) most = value;
  });
  return most > 0 ? most : 1;
}
