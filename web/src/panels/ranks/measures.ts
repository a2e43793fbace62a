// What can be compared between ranks: names, units, colors.

import { duration, figure } from '../../base/format';
import type { RampKind } from '../../plots/ramp';

const WORDS = new Map([
  ['step_seconds', 'Step time'],
  ['own_seconds', 'Own work'],
  ['exchange_seconds', 'Waiting for other ranks'],
  ['loader_seconds', 'Waiting for data'],
  ['gradient_norm', 'Gradient norm'],
]);
const TENSOR = 'tensor/';
// A few steps, such as the first, may take much longer: they get the last color.
const USUAL_SHARE = 0.95;
const FAR = 3;

export const measureWords = (of: string): string =>
  WORDS.get(of) ?? (of.startsWith(TENSOR) ? of.slice(TENSOR.length) : of);

export const isTime = (of: string): boolean => of.endsWith('_seconds');

export function measureValue(of: string, value: number): string {
  if (!Number.isFinite(value)) return 'NaN or infinite';
  return isTime(of) ? duration(value) : figure(value);
}

export const measureRamp = (of: string): RampKind =>
  of === 'gradient_norm' ? 'log' : 'sequential';

// The tensor behind a measure, where there is one.
export function measureTensor(of: string): string {
  if (of.startsWith(TENSOR)) return of.slice(TENSOR.length);
  if (of === 'own_seconds') return 'training/step_seconds';
  return isTime(of) ? `training/${of}` : '';
}

// The range of colors.
export function measureRange(of: string, values: Float32Array): [number, number] {
  const log = measureRamp(of) === 'log';
  const finite = [...values].filter((value) => Number.isFinite(value) && (!log || value > 0));
  if (finite.length === 0) return [0, 1];
  finite.sort((a, b) => a - b);
  const [low, high] = [finite[0] ?? 0, finite[finite.length - 1] ?? 1];
  const usual = finite[Math.floor(USUAL_SHARE * (finite.length - 1))] ?? high;
  return [isTime(of) ? 0 : low, isTime(of) && high > FAR * usual ? usual : high];
}
