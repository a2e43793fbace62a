// What x is in the charts: how it is asked for, where a point is, and how it is called.

import { figure } from '../../base/format';
import { clock } from '../../plots/axes';
import type { PlotOptions } from '../../plots/plot_options';
import { X_LABELS, type XAxis } from './chart_look';
import { countAt, stepAt, type StepCount } from './step_counts';

export interface XScale {
  readonly axis: XAxis;
  readonly ask: 'global' | 'time'; // What the server is asked for, ...
  readonly at: (asked: number) => number; // ... where it is on the axis, ...
  readonly back: (x: number) => number; // ... and the other way round.
  readonly words: (x: number) => string; // 'step 51'.
}

export interface Counts {
  optimizer: StepCount | null;
  epoch: StepCount | null;
}

const same = (x: number): number => x;
const STEP: XScale = {
  axis: 'step',
  ask: 'global',
  at: same,
  back: same,
  words: (x) => `step ${x}`,
};

// Falls back to steps if the run has no counts for the axis. Relative times begin at start.
export function scaleOf(axis: XAxis, counts: Counts, start: number): XScale {
  if (axis === 'time') return { axis, ask: 'time', at: same, back: same, words: (x) => clock(x) };
  if (axis === 'relative')
    return {
      axis,
      ask: 'time',
      at: (time) => time - start,
      back: (x) => x + start,
      words: (x) => `${x.toFixed(1)} s`,
    };
  const count = axis === 'step' ? null : counts[axis];
  if (!count) return STEP;
  const unit = axis === 'epoch' ? 'epoch' : 'optimizer step';
  return {
    axis,
    ask: 'global',
    at: (step) => countAt(count, step),
    back: (x) => stepAt(count, x),
    words: (x) => `${unit} ${figure(x)}`,
  };
}

export const axisOptions = (axis: XAxis): Partial<PlotOptions> => ({
  xLabel: X_LABELS[axis],
  time: axis === 'time',
  fractions: axis === 'relative' || axis === 'epoch',
});

// The axes that a run has.
export const axesOf = ({ optimizer, epoch }: Counts): XAxis[] => [
  'step',
  ...(optimizer ? ['optimizer' as const] : []),
  ...(epoch ? ['epoch' as const] : []),
  'time',
  'relative',
];
