// One tensor of all the runs in one chart.

import { html } from '../../base/dom';
import type { ChartSeries } from '../common/chart_groups';
import type { Cell } from './cell';
import type { Charts, Run } from './charts';
import type { State } from './state';

const HEIGHT = 320;
const KEY = '*'; // In the URL; no metric is called that.

export class Overlay {
  readonly element = html('div', { class: 'compare-plot' });
  private readonly place = html('div');
  private readonly note = html('p', { class: 'common-note', role: 'status' });
  private cell: Cell | null = null;
  private runs: readonly Run[] = [];
  private shown = '';

  constructor(private readonly charts: Charts) {
    this.element.append(this.place, this.note);
  }

  // tensor: '': not known yet.
  show({ statistic, mode }: State, runs: readonly Run[], tensor: string): void {
    this.runs = runs;
    const metric: ChartSeries = { tensor, statistic, mode, name: tensor };
    const shown = JSON.stringify(metric);
    if (shown === this.shown || tensor === '') return;
    this.shown = shown;
    if (this.cell) this.charts.remove(this.cell);
    const place = { key: KEY, height: HEIGHT, isSmall: false, drawn: () => this.explain() };
    this.cell = this.charts.add(metric, place);
    this.place.append(this.cell.element);
    this.explain();
  }

  // Why runs have no curve.
  private explain(): void {
    const words = this.runs.flatMap(({ id, name }) => {
      const came = this.cell?.came.get(id);
      if (!came || came.series) return [];
      return [came.problem ? `${name}: ${came.problem}` : `${name} did not save this tensor.`];
    });
    this.note.textContent = words.join(' ');
  }
}
