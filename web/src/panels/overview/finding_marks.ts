// The first finding of each rule, as marks over the steps.

import type { RunDetail } from '../../api/types';
import type { PlotMark } from '../../plots/plot_marks';
import { tensorAddress } from './finding_words';

const MOST_MARKS = 20;

export function findingMarks(run: RunDetail): PlotMark[] {
  const marks: PlotMark[] = [];
  for (const rule of run.rules_seen) {
    const finding = rule.findings.find(({ step }) => step >= 0);
    if (!finding || rule.kind !== 'debug') continue;
    const mark: PlotMark = {
      x: finding.step,
      label: `${rule.name}, step ${finding.step}`,
      tone: 'warning',
    };
    marks.push(finding.tensor ? { ...mark, go: tensorAddress(run, finding) } : mark);
  }
  return marks.slice(0, MOST_MARKS);
}
