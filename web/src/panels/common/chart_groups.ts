// Which saved numbers share a chart, and which charts stand together: every loss, metric and scalar
// of the run, by the first part of its name.

import type { Mode, TensorInfo, TensorList } from '../../api/types';
import type { Wanted } from './series';

export interface ChartSeries extends Wanted {
  mode: Mode;
  name: string;
}

export interface ChartGroup {
  key: string;
  label: string;
  series: ChartSeries[];
}

export interface ChartSection {
  key: string; // The prefix of its names; '' is the first section.
  title: string;
  open: boolean; // Before the reader decides.
  charts: ChartGroup[];
}

const MOST_SERIES = 8; // In one chart; the number of colors.
const PART = /^(?:val|valid|validation|train|training|eval|test)[-_/.](?=.)/i;
const SCALAR = /^scalar\//; // Put before the names of hook.save_scalar().
const MAIN = 'Losses and metrics';
// Saved by the hook itself, for rules. Of interest to everybody are only these two.
const OBSERVED = 'training/';
const OBSERVED_SHOWN = ['training/accuracy', 'training/learning_rate'];
const OBSERVED_TITLE = 'Observed in the training loop';
// A parameter with one element is not a metric.
const NO_METRICS = new Set([
  'weights',
  'biases',
  'gradients',
  'inputs',
  'outputs',
  'optimizer_variables',
  'hyperparameters',
  'labels',
  'predictions',
  'feature_importance',
  'average_shap',
  'full_shap',
  'trees',
]);

const isIn = ({ collections }: TensorInfo, name: string): boolean => collections.includes(name);
const isLoss = (info: TensorInfo): boolean => isIn(info, 'losses');
const isMetric = (info: TensorInfo): boolean => isLoss(info) || isIn(info, 'metrics');
const isScalar = (info: TensorInfo): boolean =>
  isMetric(info) ||
  (info.statistics.includes('value') && !info.collections.some((name) => NO_METRICS.has(name)));

// Losses and metrics have one element; a batch of them is shown by its mean.
const statisticOf = ({ statistics }: TensorInfo): string | undefined =>
  ['value', 'mean', 'min'].find((name) => statistics.includes(name)) ?? statistics[0];

const isObserved = (info: TensorInfo): boolean =>
  info.name.startsWith(OBSERVED) && !isMetric(info) && !OBSERVED_SHOWN.includes(info.name);

interface Place {
  section: string;
  label: string; // Of the chart.
}

function placeOf(info: TensorInfo, losses: number): Place {
  if (isLoss(info)) return { section: '', label: losses > 1 ? 'Losses' : info.name };
  if (OBSERVED_SHOWN.includes(info.name)) return { section: '', label: info.name };
  // One chart for each kind of fact, with all layers.
  if (isObserved(info))
    return { section: OBSERVED, label: info.name.split('/').slice(0, 2).join('/') };
  const label = info.name.replace(SCALAR, '').replace(PART, '');
  const slash = label.indexOf('/');
  return { section: slash > 0 ? label.slice(0, slash) : '', label };
}

const titleOf = (section: string): string =>
  section === '' ? MAIN : section === OBSERVED ? OBSERVED_TITLE : section;

// Each mode is a series of its own, all on the axis of the whole run's steps.
function seriesOf(info: TensorInfo): ChartSeries[] {
  const statistic = statisticOf(info);
  if (statistic === undefined) return [];
  const name = info.name.replace(SCALAR, '');
  const modes = info.modes.filter((mode) => mode !== 'GLOBAL');
  const one = { tensor: info.name, statistic };
  if (modes.length < 2) return [{ ...one, mode: 'GLOBAL', name }];
  return modes.map((mode) => ({ ...one, mode, name: `${name} (${mode})` }));
}

function groupsOf(label: string, series: readonly ChartSeries[]): ChartGroup[] {
  const groups: ChartGroup[] = [];
  for (let first = 0; first < series.length; first += MOST_SERIES) {
    const title = first === 0 ? label : `${label} (${first / MOST_SERIES + 1})`;
    groups.push({ key: title, label: title, series: series.slice(first, first + MOST_SERIES) });
  }
  return groups;
}

// Losses first, then metrics and scalars without a prefix, then those with one, at last what was
// observed for rules.
export function chartSections(list: TensorList): ChartSection[] {
  const scalars = list.tensors.filter(isScalar);
  const losses = scalars.filter(isLoss).length;
  const sections = new Map<string, Map<string, ChartSeries[]>>([['', new Map()]]);
  const inOrder = [...scalars].sort((a, b) => Number(isLoss(b)) - Number(isLoss(a)));
  for (const info of inOrder) {
    const { section, label } = placeOf(info, losses);
    const charts = sections.get(section) ?? new Map<string, ChartSeries[]>();
    sections.set(section, charts);
    charts.set(label, [...(charts.get(label) ?? []), ...seriesOf(info)]);
  }
  return [...sections]
    .map(([key, charts]) => ({
      key,
      title: titleOf(key),
      open: key !== OBSERVED,
      charts: [...charts].flatMap(([label, series]) => groupsOf(label, series)),
    }))
    .filter(({ charts }) => charts.length > 0)
    .sort((a, b) => Number(a.key === OBSERVED) - Number(b.key === OBSERVED));
}

// Whether steps of several modes share the axis, which readers must be told.
export const modesOf = (list: TensorList): Mode[] => list.modes.filter((mode) => mode !== 'GLOBAL');
