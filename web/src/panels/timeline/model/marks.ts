// Marks on the time axis: outliers among steps, and findings.

import type { TimeMarks } from '../../../api/types';
import { span } from './words';

export interface Mark {
  time: number; // Microseconds since the start of the timeline.
  kind: 'outlier' | 'finding';
  words: string;
  step: number;
}

export function marksOf(marks: TimeMarks, start: number): Mark[] {
  const outliers = marks.outliers.map((one): Mark => ({
    time: one.time * 1e6 - start,
    kind: 'outlier',
    step: one.step,
    words: `Step ${one.step} took ${span(one.duration * 1e6)} (typical: ${span(one.usual * 1e6)})`,
  }));
  const findings = marks.findings.map((one): Mark => ({
    time: one.time * 1e6 - start,
    kind: 'finding',
    step: one.step,
    words: `${one.rule}: ${one.message}`,
  }));
  return [...outliers, ...findings]
    .filter((one) => Number.isFinite(one.time))
    .sort((a, b) => a.time - b.time);
}
