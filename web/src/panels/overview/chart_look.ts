// How the charts are drawn, as in the URL.

import { numberParam } from '../common/params';

export type XAxis = 'step' | 'time' | 'relative';

export interface ChartLook {
  readonly x: XAxis;
  readonly smooth: number; // Weight of the past: 0 to 0.99.
  readonly log: boolean;
}

export const MOST_SMOOTH = 0.99;
export const X_WORDS: Record<XAxis, string> = {
  step: 'Step',
  time: 'Wall time',
  relative: 'Relative time',
};
// Above tables and next to the cursor.
export const X_LABELS: Record<XAxis, string> = {
  step: 'Step',
  time: 'Time',
  relative: 'Seconds since the start',
};

export function readLook(params: URLSearchParams): ChartLook {
  const x = params.get('x') ?? '';
  const smooth = numberParam(params.get('smooth')) ?? 0;
  return {
    x: Object.hasOwn(X_WORDS, x) ? (x as XAxis) : 'step',
    smooth: Math.max(0, Math.min(MOST_SMOOTH, smooth)),
    log: params.get('log') === '1',
  };
}

// Leaves other parameters as they are; defaults are not written.
export function writeLook(look: ChartLook, params: URLSearchParams): void {
  const set = (name: string, value: string, isDefault: boolean): void => {
    if (isDefault) params.delete(name);
    else params.set(name, value);
  };
  set('x', look.x, look.x === 'step');
  set('smooth', String(look.smooth), look.smooth === 0);
  set('log', '1', !look.log);
}
