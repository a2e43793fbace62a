// All metrics of all runs: a chart each, with one zoom and one cursor. Only charts near the window
// are loaded, and for each run all of them with one request.

import type { Client } from '../../api/client';
import type { Mode, TensorList } from '../../api/types';
import { counted } from '../../api/words';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { type PlotSeries, SeriesPlot } from '../../plots/series_plot';
import type { ChartSeries } from '../common/chart_groups';
import { downloadMenu } from '../common/chart_tools';
import { askSeries } from '../common/series';
import { searchFor } from '../common/tree';
import { metricSections } from './grid_metrics';
import { meanSeries } from './mean_series';
import { letter, type State } from './state';

interface Run {
  id: string;
  name: string;
}

type Range = [number, number];

const HEIGHT = 190;
const POINTS = 400;
const NEAR = '300px';
const TOGETHER = 40; // Milliseconds in which charts come into view together.
const READING_MS = 700; // Between questions while the server still reads a run.
const SHOWN_MS = 100; // Between two drawings while answers come.

interface Actions {
  change: (change: Partial<State>, step?: boolean) => void;
}

class Cell {
  readonly element = html('div', { class: 'compare-cell' });
  readonly series = new Map<number, PlotSeries>(); // By the index of the run.
  near = false;
  stale = true;
  private plot: SeriesPlot | null = null;

  constructor(
    readonly metric: ChartSeries,
    private readonly grid: MetricGrid,
  ) {}

  show(): void {
    this.plot ??= this.make();
    const { range, log, mean } = this.grid.state;
    this.plot.setOptions({ range, log });
    const runs = [...this.series].sort(([a], [b]) => a - b).map(([, one]) => one);
    const one = mean ? meanSeries(runs) : null;
    this.plot.setData(one ? [one] : runs);
  }

  look(range: Range | null, log: boolean): void {
    this.plot?.setOptions({ range, log });
  }

  point(cursor: number | null): void {
    this.plot?.setOptions({ cursor });
  }

  close(): void {
    this.plot?.destroy();
    this.element.remove();
  }

  private make(): SeriesPlot {
    const { name } = this.metric;
    const download = downloadMenu({
      plot: () => this.plot,
      measured: () => [...this.series.values()],
      label: () => name,
      xName: () => 'step',
      file: () => `compare ${name}`,
    });
    return new SeriesPlot(this.element, {
      label: name,
      xLabel: 'Step',
      height: HEIGHT,
      tip: true,
      waiting: false,
      tools: [download],
      onRange: (range, settled) => this.grid.zoomed(range, settled),
      onCursor: (x) => this.grid.pointed(this, x),
    });
  }
}

export class MetricGrid {
  readonly element = html('div');
  state: { range: Range | null; log: boolean; mean: boolean } = {
    range: null,
    log: false,
    mean: false,
  };
  private readonly search = html('input', {
    type: 'search',
    placeholder: 'Text or regular expression',
    spellcheck: 'false',
  });
  private readonly log = html('input', { type: 'checkbox' });
  private readonly mean = html('input', { type: 'checkbox' });
  private readonly note = html('p', { class: 'common-note', role: 'status' });
  private readonly place = html('div');
  private readonly cells = new Map<string, Cell>();
  private readonly watched: IntersectionObserver;
  private readonly came = new Set<Cell>();
  private readonly draw = new Paced(() => this.showCame(), SHOWN_MS);
  private readonly asking = new AbortController();
  private readonly reading = new Paced(() => this.soon(), READING_MS);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private runs: readonly Run[] = [];
  private shown = '';

  constructor(
    private readonly client: Client,
    private readonly actions: Actions,
  ) {
    this.search.addEventListener('input', () =>
      actions.change({ metrics: this.search.value }, false),
    );
    this.log.addEventListener('change', () => actions.change({ log: this.log.checked }));
    this.mean.addEventListener('change', () => actions.change({ mean: this.mean.checked }));
    this.watched = new IntersectionObserver((changes) => this.seen(changes), {
      rootMargin: NEAR,
    });
    this.element.append(
      html(
        'div',
        { class: 'common-bar' },
        html('label', { class: 'field' }, 'Find metrics', this.search),
        html('label', { class: 'check' }, this.log, 'Logarithmic y'),
        html('label', { class: 'check' }, this.mean, 'Mean and standard deviation'),
      ),
      this.note,
      this.place,
    );
  }

  show(state: State, runs: readonly Run[], list: TensorList | null): void {
    if (this.search !== document.activeElement) this.search.value = state.metrics;
    this.log.checked = state.log;
    this.mean.checked = state.mean;
    const moved = JSON.stringify(state.range) !== JSON.stringify(this.state.range);
    const averaged = state.mean !== this.state.mean;
    this.state = { range: state.range, log: state.log, mean: state.mean };
    for (const cell of this.cells.values()) cell.look(state.range, state.log);
    if (averaged) for (const cell of this.cells.values()) if (cell.series.size > 0) cell.show();
    const others = JSON.stringify(runs) !== JSON.stringify(this.runs);
    if (others) this.runs = runs; // Answers to questions about these are shown.
    if (others) for (const cell of this.cells.values()) cell.series.clear();
    if (list) this.build(state, list);
    if (others || moved) this.refresh();
  }

  // There may be more steps.
  refresh(): void {
    for (const cell of this.cells.values()) cell.stale = true;
    this.soon();
  }

  zoomed(range: Range | null, settled: boolean): void {
    this.state = { ...this.state, range };
    for (const cell of this.cells.values()) cell.look(range, this.state.log);
    if (!settled) return;
    this.refresh();
    this.actions.change({ range }, false);
  }

  pointed(by: Cell, x: number | null): void {
    for (const cell of this.cells.values()) if (cell !== by) cell.point(x);
  }

  close(): void {
    clearTimeout(this.timer);
    this.asking.abort();
    this.draw.stop();
    this.reading.stop();
    this.watched.disconnect();
    for (const cell of this.cells.values()) cell.close();
  }

  private build(state: State, list: TensorList): void {
    const search = searchFor(state.metrics);
    const sections = metricSections(list, search);
    const key = JSON.stringify(sections);
    if (key === this.shown) return;
    this.shown = key;
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
      cell.close();
      this.cells.delete(name);
    }
    const none = search
      ? 'No metric has a name like that.'
      : 'The runs have saved no losses, metrics or scalars.';
    this.note.textContent = search?.problem || (this.cells.size === 0 ? none : '');
    this.note.hidden = this.note.textContent === '';
  }

  private cell(metric: ChartSeries): Cell {
    const key = JSON.stringify(metric);
    const known = this.cells.get(key);
    if (known) return known;
    const cell = new Cell(metric, this);
    this.cells.set(key, cell);
    cell.element.dataset['metric'] = key;
    this.watched.observe(cell.element);
    return cell;
  }

  private seen(changes: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of changes) {
      const cell = this.cells.get((target as HTMLElement).dataset['metric'] ?? '');
      if (cell) cell.near = isIntersecting;
    }
    this.soon();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), TOGETHER);
  }

  private ask(): void {
    const due = [...this.cells.values()].filter(({ near, stale }) => near && stale);
    if (due.length === 0) return;
    for (const cell of due) cell.stale = false;
    const modes = [...new Set(due.map(({ metric }) => metric.mode))];
    this.runs.forEach((_, run) => {
      for (const mode of modes)
        void this.askRun(
          run,
          mode,
          due.filter(({ metric }) => metric.mode === mode),
        );
    });
  }

  private async askRun(run: number, mode: Mode, cells: readonly Cell[]): Promise<void> {
    const of = this.runs[run];
    if (!of) return;
    const [range, asked] = [this.state.range, this.asking];
    const margin = range ? (range[1] - range[0]) / 3 : 0;
    const answer = await askSeries(
      this.client,
      {
        run: of.id,
        wanted: cells.map(({ metric: { tensor, statistic } }) => ({ tensor, statistic })),
        mode,
        worker: '',
        asked: {
          from: range ? range[0] - margin : undefined,
          to: range ? range[1] + margin : undefined,
          points: POINTS,
        },
        x: 'global',
      },
      asked.signal,
    );
    if (asked.signal.aborted || this.runs[run] !== of || !answer.ok) return;
    cells.forEach((cell, i) => {
      if (answer.value.header.series[i]?.found)
        cell.series.set(run, {
          name: `${letter(run).toUpperCase()}  ${of.name}`,
          x: answer.value.column(`x${i}`),
          low: answer.value.column(`low${i}`),
          high: answer.value.column(`high${i}`),
          colour: run,
          nan: true,
        });
      this.came.add(cell);
    });
    // What a server is still reading comes with the next question.
    if (answer.value.header.ingested?.done === false) {
      for (const cell of cells) cell.stale = true;
      this.reading.tell();
    }
    this.draw.tell();
  }

  private showCame(): void {
    for (const cell of this.came) cell.show();
    this.came.clear();
  }
}
