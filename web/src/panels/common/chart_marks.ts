// Marks of a chart: the first finding of each rule, and where a series has its first NaN.

import type { RunDetail, Severity } from '../../api/types';
import { counted } from '../../api/words';
import type { PlotMark } from '../../plots/plot_marks';
import type { SeriesHeader } from './series';
import { tensorAddress } from './finding_address';

const MOST_MARKS = 20;
const TONES: Partial<Record<Severity, 'bad' | 'warning'>> = { problem: 'bad', warning: 'warning' };

// place: where a global step is on the axis, given the time of the finding where that is known;
// null: nowhere yet.
export function findingMarks(
  run: RunDetail,
  place: (step: number, time: number | undefined) => number | null,
): PlotMark[] {
  const marks: PlotMark[] = [];
  for (const rule of run.rules_seen) {
    const finding = rule.findings.find(({ step }) => step >= 0);
    if (!finding || rule.kind !== 'debug' || rule.shadow || marks.length === MOST_MARKS) continue;
    const x = place(finding.step, finding.time);
    if (x === null) continue;
    const mark: PlotMark = {
      x,
      label: `${rule.name}, step ${finding.step}`,
      tone: TONES[finding.severity] ?? 'plain',
    };
    marks.push(finding.tensor ? { ...mark, go: tensorAddress(run, finding) } : mark);
  }
  return marks;
}

type Told = SeriesHeader['series'][number];

// series: in the order of names. where: 'step 51', as the axis counts.
export function nanMarks(
  series: readonly Told[],
  names: readonly string[],
  place: (x: number) => number,
  where: (x: number) => string,
): PlotMark[] {
  return series.flatMap(({ first_nan: first, nans }, i) => {
    if (first === null || first === undefined) return [];
    const label = `${names[i] ?? ''}: NaN since ${where(first)} (${counted(nans ?? 1, 'NaN value')})`;
    return [{ x: place(first), label, tone: 'bad' as const }];
  });
}
