// All metrics of all runs: a chart each, in the sections of the overview.

import type { TensorList } from '../../api/types';
import { counted } from '../../api/words';
import { html } from '../../base/dom';
import type { ChartSeries } from '../common/chart_groups';
import { searchFor } from '../common/tree';
import type { Cell } from './cell';
import type { Charts } from './charts';
import { type MetricSection, metricSections } from './grid_metrics';
import type { State } from './state';

const HEIGHT = 190;

export class MetricGrid {
  readonly element = html('div');
  private readonly search = html('input', {
    type: 'search',
    placeholder: 'Text or regular expression',
    spellcheck: 'false',
  });
  private readonly note = html('p', { class: 'common-note', role: 'status' });
  private readonly place = html('div');
  private readonly cells = new Map<string, Cell>();
  private shown = '';

  constructor(
    private readonly charts: Charts,
    change: (change: Partial<State>, step?: boolean) => void,
  ) {
    this.search.addEventListener('input', () => change({ metrics: this.search.value }, false));
    this.element.append(
      html(
        'div',
        { class: 'common-bar compare-find' },
        html('label', { class: 'field' }, 'Find metrics', this.search),
      ),
      this.note,
      this.place,
    );
  }

  show({ metrics }: State, list: TensorList | null): void {
    if (this.search !== document.activeElement) this.search.value = metrics;
    if (!list) return;
    const search = searchFor(metrics);
    const sections = metricSections(list, search);
    const key = JSON.stringify(sections);
    if (key === this.shown) return;
    this.shown = key;
    this.build(sections);
    const none = search
      ? 'No metric has a name like that.'
      : 'The runs have saved no losses, metrics or scalars.';
    this.note.textContent = search?.problem || (this.cells.size === 0 ? none : '');
    this.note.hidden = this.note.textContent === '';
  }

  private build(sections: readonly MetricSection[]): void {
    const open = new Map(
      [...this.place.querySelectorAll('details')].map((one) => [one.dataset['key'], one.open]),
    );
    const kept = new Set<Cell>();
    this.place.replaceChildren(
      ...sections.map((section) => {
        const cells = section.metrics.map((metric) => this.cell(metric));
        for (const cell of cells) kept.add(cell);
        const grid = html('div', { class: 'compare-grid' }, ...cells.map((cell) => cell.element));
        if (section.key === '') return grid;
        const details = html(
          'details',
          { class: 'compare-section', 'data-key': section.key },
          html(
            'summary',
            {},
            html('h3', {}, section.title),
            ' ',
            html('span', { class: 'quiet' }, counted(cells.length, 'chart')),
          ),
          grid,
        );
        details.open = open.get(section.key) ?? section.open;
        return details;
      }),
    );
    for (const [name, cell] of this.cells) {
      if (kept.has(cell)) continue;
      this.charts.remove(cell);
      this.cells.delete(name);
    }
  }

  private cell(metric: ChartSeries): Cell {
    const key = JSON.stringify(metric);
    const known = this.cells.get(key);
    if (known) return known;
    const cell = this.charts.add(metric, { key: metric.name, height: HEIGHT, isSmall: true });
    this.cells.set(key, cell);
    return cell;
  }
}
