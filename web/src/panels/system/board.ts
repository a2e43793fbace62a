// The charts and the heat map: they zoom together and share a cursor.

import type { Refusal } from '../../api/client';
import { html } from '../../base/dom';
import { type Range, xText } from '../../plots/axes';
import { HeatCanvas } from '../../plots/heat_canvas';
import { type PlotMark, SeriesPlot } from '../../plots/series_plot';
import { type Asked, Viewport } from '../../plots/viewport';
import type { RunContext } from '../panel';
import { askHeat, askSeries } from './ask';
import { type Answered, type Chart, keysOf, seriesOf } from './charts';
import type { Columns } from '../../api/columns';
import type { HeatHeader } from './ask';

export interface BoardActs {
  moved: (range: Range | null, settled: boolean) => void;
  failed: (error: Refusal) => void;
  answered: () => void;
}

const COLUMNS_AT_ONCE = 2000; // Of the heat map.

export class ChartBoard {
  readonly element = html('div', { class: 'system-board' });
  private readonly grid = html('div', { class: 'system-grid' });
  private readonly plots = new Map<string, { plot: SeriesPlot; card: HTMLElement }>();
  private readonly heat: HeatCanvas;
  private readonly heatCard = html('section', { class: 'card' });
  private readonly series: Viewport<Answered>;
  private readonly cells: Viewport<Columns<HeatHeader>>;
  private node = '';
  private charts: Chart[] = [];
  private answered: Answered = new Map();
  private marks: PlotMark[] = [];
  private loop: Range | null = null;

  constructor(
    private readonly context: RunContext,
    private readonly acts: BoardActs,
  ) {
    this.element.append(this.grid, this.heatCard);
    this.heat = new HeatCanvas(this.heatCard, {
      label: 'All cores and GPUs over time',
      rows: [],
      write: (value) => `${Math.round(value)} %`,
      ramp: 'sequential',
      range: [0, 100],
      xLabel: '',
      writeX: (x) => xText(x, true),
      time: true,
      onView: (range, settled) => acts.moved(range, settled),
      onCursor: (x) => this.point(x, 'heat'),
    });
    const pixels = (): number =>
      Math.max(200, ...[...this.plots.values()].map(({ plot }) => plot.pixels));
    this.series = new Viewport({
      ask: (asked, signal) => this.askSeries(asked, signal),
      show: (answer) => this.showSeries(answer),
      pixels,
    });
    this.cells = new Viewport({
      ask: (asked, signal) => this.askCells(asked, signal),
      show: (answer) => this.showCells(answer),
      pixels: () => Math.max(200, this.heat.pixels),
      perPixel: 0.5,
      most: COLUMNS_AT_ONCE,
    });
  }

  // Shows a time range; requests what is not loaded.
  setNode(node: string, charts: Chart[]): void {
    const other = node !== this.node;
    const more = keysOf(charts).some((key) => !this.answered.has(key));
    this.node = node;
    this.charts = charts;
    this.place();
    if (other) {
      this.answered = new Map();
      for (const { plot } of this.plots.values()) plot.setOptions({ waiting: true });
      this.cells.refresh();
    }
    if (other || more) this.series.refresh();
    this.draw();
  }

  setMarks(marks: PlotMark[], loop: Range | null): void {
    this.marks = marks;
    this.loop = loop;
    for (const { plot } of this.plots.values()) plot.setOptions({ marks, shade: loop });
  }

  look(extent: Range | null, range: Range | null, settled: boolean): void {
    this.showRange(extent, range);
    this.series.look(range, settled);
    this.cells.look(range, settled);
  }

  // There are new samples.
  refresh(extent: Range | null, range: Range | null): void {
    this.showRange(extent, range);
    this.series.look(range, true);
    this.cells.look(range, true);
    this.series.refresh();
    this.cells.refresh();
  }

  close(): void {
    this.series.close();
    this.cells.close();
    this.heat.destroy();
    for (const { plot } of this.plots.values()) plot.destroy();
  }

  private showRange(extent: Range | null, range: Range | null): void {
    for (const { plot } of this.plots.values()) plot.setOptions({ extent, range });
    this.heat.setOptions({ extent, view: range });
  }

  // One plot per chart. Existing plots are kept, with the series that the reader has hidden.
  private place(): void {
    const wanted = new Set(this.charts.map(({ id }) => id));
    for (const [id, { plot, card }] of this.plots) {
      if (wanted.has(id)) continue;
      plot.destroy();
      card.remove();
      this.plots.delete(id);
    }
    this.charts.forEach((chart, i) => {
      const card = this.plots.get(chart.id)?.card ?? this.make(chart);
      if (this.grid.children[i] !== card)
        this.grid.insertBefore(card, this.grid.children[i] ?? null);
    });
  }

  private make({ id, label, unit, y }: Chart): HTMLElement {
    const card = html('section', { class: 'card' });
    this.grid.append(card);
    const plot = new SeriesPlot(card, {
      label,
      unit,
      y,
      time: true,
      waiting: true,
      height: 180,
      marks: this.marks,
      shade: this.loop,
      onRange: (range, settled) => this.acts.moved(range, settled),
      onCursor: (x) => this.point(x, id),
    });
    this.plots.set(id, { plot, card });
    return card;
  }

  private point(x: number | null, from: string): void {
    for (const [id, { plot }] of this.plots) if (id !== from) plot.setOptions({ cursor: x });
    if (from !== 'heat') this.heat.setOptions({ cursor: x });
  }

  private async askSeries(asked: Asked, signal: AbortSignal): Promise<Answered | null> {
    const answer = await askSeries(
      this.context.client,
      this.context.run.id,
      this.node,
      keysOf(this.charts),
      asked,
      signal,
    );
    if (answer.ok) return answer.value;
    if (!signal.aborted) this.acts.failed(answer.error);
    return null;
  }

  private async askCells(asked: Asked, signal: AbortSignal): Promise<Columns<HeatHeader> | null> {
    const answer = await askHeat(
      this.context.client,
      this.context.run.id,
      this.node,
      asked,
      signal,
    );
    if (answer.ok) return answer.value;
    if (!signal.aborted) this.acts.failed(answer.error);
    return null;
  }

  private showSeries(answered: Answered): void {
    this.answered = answered;
    this.acts.answered();
    for (const { plot } of this.plots.values()) plot.setOptions({ waiting: false });
    this.draw();
  }

  private draw(): void {
    for (const chart of this.charts)
      this.plots.get(chart.id)?.plot.setData(seriesOf(chart, this.answered));
  }

  private showCells(answer: Columns<HeatHeader>): void {
    const values = answer.column('values');
    const rows = answer.header.rows.map(({ name }) => name);
    this.heat.setOptions({
      rows,
      rowHeight: Math.min(16, Math.max(3, 480 / Math.max(1, rows.length))),
    });
    this.heat.setData(
      answer.column('x'),
      values instanceof Float32Array ? values : Float32Array.from(values),
    );
  }
}
