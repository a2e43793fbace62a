// The metrics of several runs, each once: every loss, metric and scalar that one of them has.

import type { TensorInfo, TensorList } from '../../api/types';
import { type ChartSeries, chartSections } from '../common/chart_groups';

export interface MetricSection {
  key: string;
  title: string;
  open: boolean;
  metrics: ChartSeries[];
}

const union = <T>(a: readonly T[], b: readonly T[]): T[] => [...new Set([...a, ...b])];

// As if all runs were one. A tensor that one run saved in two modes has two series in all of them.
export function mergedList(lists: readonly TensorList[]): TensorList | null {
  const [first, ...others] = lists;
  if (!first) return null;
  const tensors = new Map<string, TensorInfo>(first.tensors.map((info) => [info.name, info]));
  for (const info of others.flatMap((list) => list.tensors)) {
    const known = tensors.get(info.name);
    tensors.set(
      info.name,
      known
        ? {
            ...known,
            modes: union(known.modes, info.modes),
            collections: union(known.collections, info.collections),
            statistics: union(known.statistics, info.statistics),
          }
        : info,
    );
  }
  return {
    ...first,
    workers: lists.reduce((all, { workers }) => union(all, workers), first.workers),
    modes: lists.reduce((all, { modes }) => union(all, modes), first.modes),
    collections: lists.reduce((all, { collections }) => union(all, collections), first.collections),
    tensors: [...tensors.values()],
  };
}

// wanted: null: all.
export function metricSections(
  list: TensorList,
  wanted: { test: (name: string) => boolean } | null,
): MetricSection[] {
  return chartSections(list)
    .map(({ key, title, open, charts }) => ({
      key,
      title,
      open,
      metrics: charts
        .flatMap(({ series }) => series)
        .filter(({ name }) => !wanted || wanted.test(name)),
    }))
    .filter(({ metrics }) => metrics.length > 0);
}
