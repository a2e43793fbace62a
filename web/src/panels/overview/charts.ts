// Charts of losses and metrics, updated live.

import type { Client } from '../../api/client';
import type { RuleView, RunDetail, TensorList } from '../../api/types';
import { html } from '../../base/dom';
import type { PlotMark } from '../../plots/series_plot';
import { Chart, type Range } from './chart';
import { type ChartGroup, chartGroups } from './chart_groups';
import { findingMarks } from './finding_marks';

const NOTHING_SAVED =
  'No losses or metrics saved yet. Add the collections “losses” and “metrics” to the hook configuration.';
const MOST_CHARTS = 8;
// Pixels: the first chart (losses) if it is the only one, the first of several, all others.
const HEIGHTS = { alone: 420, first: 260, other: 180 };

export class Charts {
  readonly element: HTMLElement;
  private readonly grid = html('div', { class: 'overview-charts' });
  private readonly note = html('p', { class: 'quiet' }, 'Nothing saved yet.');
  private readonly charts = new Map<string, Chart>();
  private marks: PlotMark[] = [];
  private rules: readonly RuleView[] | null = null; // The rules whose findings are marked.

  constructor(
    private readonly client: Client,
    private readonly run: string,
    private range: Range | null,
    private readonly ranged: (range: Range | null) => void,
  ) {
    this.element = html(
      'section',
      { class: 'card', 'aria-label': 'Losses and metrics' },
      html('h2', {}, 'Losses and metrics'),
      this.note,
      this.grid,
    );
  }

  setTensors(list: TensorList): void {
    const all = chartGroups(list);
    const groups = all.slice(0, MOST_CHARTS);
    for (const [key, chart] of this.charts) {
      if (groups.some((group) => group.key === key)) continue;
      chart.close();
      this.charts.delete(key);
    }
    for (const group of groups) this.show(group);
    [...this.charts.values()].forEach((chart, i, charts) => {
      chart.setHeight(i > 0 ? HEIGHTS.other : charts.length > 1 ? HEIGHTS.first : HEIGHTS.alone);
    });
    this.say(list, all.length - groups.length);
  }

  setFindings(run: RunDetail): void {
    if (run.rules_seen === this.rules) return;
    this.rules = run.rules_seen;
    this.marks = findingMarks(run);
    for (const chart of this.charts.values()) this.mark(chart);
  }

  setRange(range: Range | null): void {
    this.range = range;
    for (const chart of this.charts.values()) {
      chart.setRange(range);
      chart.refresh();
    }
  }

  grow(): void {
    for (const chart of this.charts.values()) chart.refresh();
  }

  close(): void {
    for (const chart of this.charts.values()) chart.close();
  }

  private show(group: ChartGroup): void {
    const known = this.charts.get(group.key);
    if (known) {
      known.setGroup(group);
      return;
    }
    const chart: Chart = new Chart(
      this.grid,
      this.client,
      this.run,
      group,
      this.range,
      (range, settled) => this.zoomed(chart, range, settled),
    );
    this.charts.set(group.key, chart);
    this.mark(chart);
  }

  // Findings have global steps, which do not fit charts of one mode among several.
  private mark(chart: Chart): void {
    if (chart.mode === 'GLOBAL') chart.setMarks(this.marks);
  }

  // Charts over the same steps zoom together.
  private zoomed(by: Chart, range: Range | null, settled: boolean): void {
    for (const chart of this.charts.values()) {
      if (chart.mode !== by.mode) continue;
      chart.setRange(range);
      if (settled) chart.refresh();
    }
    if (settled) this.ranged(range);
  }

  private say(list: TensorList, beyond: number): void {
    const { steps, total, done } = list.ingested;
    const words: string[] = [];
    if (!done)
      words.push(
        `Reading the run: ${steps.toLocaleString('en')} of ${total.toLocaleString('en')} steps.`,
      );
    else if (this.charts.size === 0) words.push(NOTHING_SAVED);
    if (beyond > 0) words.push(`${beyond} more metrics are in the Tensors panel.`);
    this.note.textContent = words.join(' ');
    this.note.hidden = words.length === 0;
  }
}
