// Marks on the time axis: findings, slow steps, the moment of a link.

import type { RunDetail, RunId, TimeMarks } from '../../api/types';
import { duration } from '../../base/format';
import type { PlotMark } from '../../plots/series_plot';

const panelOf = (run: RunId, panel: string, query: Record<string, string>): string =>
  `#/run/${encodeURIComponent(run)}/${panel}?${new URLSearchParams(query).toString()}`;

// timeOf: when a step was saved; null: unknown.
export function plotMarks(
  run: RunDetail,
  marks: TimeMarks | null,
  at: number | null,
  timeOf: (step: number) => number | null,
): PlotMark[] {
  const made: PlotMark[] = [];
  for (const { rule, time, step, message } of marks?.findings ?? []) {
    const x = time ?? timeOf(step);
    if (x === null) continue;
    const label = `${rule}${step >= 0 ? ` at step ${step}` : ''}: ${message}`;
    made.push({
      x,
      label,
      tone: 'warning',
      go: panelOf(run.id, 'overview', { rule, step: String(step) }),
    });
  }
  for (const { step, time, duration: took, usual } of marks?.outliers ?? []) {
    const label = `Step ${step} took ${duration(took)} (typical: ${duration(usual)})`;
    const mark: PlotMark = { x: time, label, tone: 'plain' };
    if (run.has.timeline) mark.go = panelOf(run.id, 'timeline', { at: String(time) });
    made.push(mark);
  }
  if (at !== null) made.push({ x: at, label: 'Here', tone: 'plain' });
  return made;
}
