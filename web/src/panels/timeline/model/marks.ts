// Marks on the time axis: outliers among steps, and findings.

import type { TimeMarks } from '../../../api/types';
import { span } from './words';

export interface Mark {
  time: number; // Microseconds since the start of the timeline.
  kind: 'outlier' | 'finding';
  words: string;
  step: number;
}

// start: of the timeline, in microseconds. timeOf: when a step was saved; null: unknown.
export function marksOf(
  marks: TimeMarks,
  start: number,
  timeOf: (step: number) => number | null,
): Mark[] {
  const outliers = marks.outliers.map((one): Mark => ({
    time: one.time * 1e6 - start,
    kind: 'outlier',
    step: one.step,
    words: `Step ${one.step} took ${span(one.duration * 1e6)} (typical: ${span(one.usual * 1e6)})`,
  }));
  const findings = marks.findings.map((one): Mark => ({
    time: (one.time ?? timeOf(one.step) ?? NaN) * 1e6 - start,
    kind: 'finding',
    step: one.step,
    words: `${one.rule}: ${one.message}`,
  }));
  return [...outliers, ...findings]
    .filter((one) => Number.isFinite(one.time))
    .sort((a, b) => a.time - b.time);
}
