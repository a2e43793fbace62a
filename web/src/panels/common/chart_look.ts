// How the charts are drawn, as in the URL.

import { numberParam } from './params';

export type XAxis = 'step' | 'optimizer' | 'epoch' | 'time' | 'relative';

export interface ChartLook {
  readonly x: XAxis;
  readonly smooth: number; // Weight of the past: 0 to 0.99.
  readonly window: number; // Saved steps around each that are averaged; 0: none.
  readonly log: boolean;
  readonly clip: boolean; // Outliers are outside of the axis.
  readonly worker: string; // Whose values; '': the first one's.
}

export const MOST_SMOOTH = 0.99;
export const WIDEST_WINDOW = 200;
export const X_WORDS: Record<XAxis, string> = {
  step: 'Step',
  optimizer: 'Optimizer step',
  epoch: 'Epoch',
  time: 'Wall time',
  relative: 'Relative time',
};
// Above tables and next to the cursor.
export const X_LABELS: Record<XAxis, string> = {
  step: 'Step',
  optimizer: 'Optimizer step',
  epoch: 'Epoch',
  time: 'Time',
  relative: 'Seconds since the start',
};

// axis: the name of the parameter for x.
export function readLook(params: URLSearchParams, axis = 'x'): ChartLook {
  const x = params.get(axis) ?? '';
  const smooth = numberParam(params.get('smooth')) ?? 0;
  const window = Math.round(numberParam(params.get('window')) ?? 0);
  return {
    x: Object.hasOwn(X_WORDS, x) ? (x as XAxis) : 'step',
    smooth: Math.max(0, Math.min(MOST_SMOOTH, smooth)),
    window: Math.max(0, Math.min(WIDEST_WINDOW, window)),
    log: params.get('log') === '1',
    clip: params.get('clip') === '1',
    worker: params.get('worker') ?? '',
  };
}

// Leaves other parameters as they are; defaults are not written.
export function writeLook(look: ChartLook, params: URLSearchParams, axis = 'x'): void {
  const set = (name: string, value: string, isDefault: boolean): void => {
    if (isDefault) params.delete(name);
    else params.set(name, value);
  };
  set(axis, look.x, look.x === 'step');
  set('smooth', String(look.smooth), look.smooth === 0);
  set('window', String(look.window), look.window === 0);
  set('log', '1', !look.log);
  set('clip', '1', !look.clip);
  set('worker', look.worker, look.worker === '');
}
