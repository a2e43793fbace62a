// Which plot of the runs is open, and what is on its axes, as in the URL.

import { columnOf } from './columns';
import { type Catalogue, fieldId, fieldOf, type ListedRun, valueOf } from './fields';

export type PlotKind = '' | 'parallel' | 'scatter';

export interface PlotChoice {
  kind: PlotKind;
  x: string; // Ids of columns; '': the first that tells runs apart.
  y: string;
  color: string;
}

const KEYS = { kind: 'plot', x: 'px', y: 'py', color: 'pc' } as const;
const MOST_AXES = 12;
const FEW_AXES = 6;
const LOSS = /loss|accuracy|acc\b/i;

export function readPlot(params: URLSearchParams): PlotChoice {
  const kind = params.get(KEYS.kind);
  const id = (key: 'x' | 'y' | 'color'): string => {
    const text = params.get(KEYS[key]) ?? '';
    return columnOf(text)?.order ? text : '';
  };
  return {
    kind: kind === 'parallel' || kind === 'scatter' ? kind : '',
    x: id('x'),
    y: id('y'),
    color: id('color'),
  };
}

export function writePlot(params: URLSearchParams, choice: PlotChoice): void {
  for (const key of ['kind', 'x', 'y', 'color'] as const) {
    if (choice[key] === '') params.delete(KEYS[key]);
    else params.set(KEYS[key], choice[key]);
  }
}

// Hyperparameters that differ between runs, in their order, then the last value of a loss and of
// other scalars: what is looked at first.
export function tellingColumns(catalogue: Catalogue, runs: readonly ListedRun[]): string[] {
  const differs = (id: string): boolean => {
    const field = fieldOf(id);
    if (!field) return false;
    const values = new Set(runs.map((run) => valueOf(run, field)));
    values.delete(null);
    return values.size > 1;
  };
  const params = catalogue.params.map((name) => fieldId({ kind: 'param', name })).filter(differs);
  const scalars = [...catalogue.scalars]
    .sort((a, b) => Number(LOSS.test(b)) - Number(LOSS.test(a)))
    .map((name) => fieldId({ kind: 'last', name }));
  const results = scalars.slice(0, 2);
  return [...params.slice(0, FEW_AXES - results.length), ...results];
}

// Of the plot of parallel coordinates: the shown columns of hyperparameters, tags and scalars, or what
// tells the runs apart while there are less than two.
export function parallelAxes(
  shown: readonly string[],
  catalogue: Catalogue,
  runs: readonly ListedRun[],
): string[] {
  const chosen = shown.filter((id) => fieldOf(id) !== null).slice(0, MOST_AXES);
  if (chosen.length >= 2) return chosen;
  const telling = tellingColumns(catalogue, runs);
  return telling.length >= 2 ? telling : [...new Set([...telling, 'duration', 'step'])];
}
