// Which losses and metrics share a chart.

import type { Mode, TensorInfo, TensorList } from '../../api/types';
import type { Wanted } from '../common/series';

export interface ChartGroup {
  key: string;
  label: string;
  mode: Mode;
  wanted: Wanted[];
  names: string[];
}

const MOST_SERIES = 8;
const PART = /^(?:val|valid|validation|train|training|eval|test)[-_/.]/i;

// Losses and metrics have one element; a batch of them is shown by its mean.
const statisticOf = ({ statistics }: TensorInfo): string | undefined =>
  ['value', 'mean', 'min'].find((name) => statistics.includes(name)) ?? statistics[0];

// Steps of different modes do not match: with several modes each has its own charts.
export function modesOf(list: TensorList): Mode[] {
  const modes = list.modes.filter((mode) => mode !== 'GLOBAL');
  return modes.length > 1 ? modes : ['GLOBAL'];
}

function bundle(tensors: TensorInfo[], of: (name: string) => string): Map<string, TensorInfo[]> {
  const groups = new Map<string, TensorInfo[]>();
  for (const info of tensors)
    groups.set(of(info.name), [...(groups.get(of(info.name)) ?? []), info]);
  return groups;
}

// Losses in one chart; a metric with its validation counterpart in another.
export function chartGroups(list: TensorList): ChartGroup[] {
  const losses = list.tensors.filter(({ collections }) => collections.includes('losses'));
  const metrics = list.tensors.filter(
    ({ collections }) => collections.includes('metrics') && !collections.includes('losses'),
  );
  const bundles = [
    ...bundle(losses, () => (losses.length === 1 ? (losses[0]?.name ?? '') : 'Losses')),
    ...bundle(metrics, (name) => name.replace(PART, '')),
  ];
  const modes = modesOf(list);
  const groups: ChartGroup[] = [];
  for (const [label, tensors] of bundles) {
    for (const mode of modes) {
      const seen = tensors
        .filter((info) => mode === 'GLOBAL' || info.modes.includes(mode))
        .slice(0, MOST_SERIES);
      const wanted = seen.flatMap((info) => {
        const statistic = statisticOf(info);
        return statistic === undefined ? [] : [{ tensor: info.name, statistic }];
      });
      if (wanted.length === 0) continue;
      const suffix = mode === 'GLOBAL' ? '' : ` · ${mode}`;
      groups.push({
        key: `${label} ${mode}`,
        label: label + suffix,
        mode,
        wanted,
        names: wanted.map(({ tensor }) => tensor),
      });
    }
  }
  return groups;
}
