// One chart of losses, metrics or scalars: its plot and its requests. Nothing is requested or drawn
// until the chart is on the screen: a run may have hundreds.

import type { Answer, Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import type { Mode } from '../../api/types';
import { html } from '../../base/dom';
import { clock } from '../../plots/axes';
import { type PlotMark, type PlotSeries, SeriesPlot } from '../../plots/series_plot';
import type { Asked } from '../../plots/viewport';
import { Latest } from '../common/latest';
import { askSeries, plotted, type SeriesHeader } from '../common/series';
import type { ChartGroup, ChartSeries } from './chart_groups';
import { type ChartLook, X_LABELS } from './chart_look';
import { nanMarks } from './chart_marks';
import { chartNote } from './chart_note';
import { smoothed } from './smoothing';

export type Range = [number, number];

export interface ChartActions {
  ranged: (range: Range | null, settled: boolean) => void;
  pointed: (x: number | null) => void;
}

// What all charts share.
export interface ChartState {
  look: ChartLook;
  range: Range | null; // In units of the axis.
  start: number; // Relative times count from here.
  marks: PlotMark[];
}

const LEAST_POINTS = 200;
const MOST_POINTS = 4000;
const NEAR = '300px'; // Charts this close to the window are loaded.

interface Loaded {
  series: PlotSeries[];
  marks: PlotMark[];
}

export class Chart {
  readonly element = html('div', { class: 'overview-chart' });
  private readonly note = html('p', { class: 'overview-note', hidden: '' });
  private plot: SeriesPlot | null = null;
  private readonly question = new Latest();
  private readonly watched: IntersectionObserver;
  private loaded: Loaded = { series: [], marks: [] };
  private near = false;
  private stale = true;
  private height = 0;

  constructor(
    private readonly client: Client,
    private readonly run: string,
    private group: ChartGroup,
    private state: ChartState,
    private readonly actions: ChartActions,
  ) {
    this.watched = new IntersectionObserver((changes) => this.seenOrNot(changes), {
      rootMargin: NEAR,
    });
    this.watched.observe(this.element);
  }

  setGroup(group: ChartGroup): void {
    const changed = JSON.stringify(group.series) !== JSON.stringify(this.group.series);
    this.group = group;
    if (changed) this.refresh();
  }

  setHeight(height: number): void {
    if (height === this.height) return;
    this.height = height;
    this.element.style.minHeight = `${height}px`;
    this.plot?.setOptions({ height });
  }

  // again: the data has to be requested for it.
  setState(state: ChartState, again: boolean): void {
    const smoother = state.look.smooth !== this.state.look.smooth;
    this.state = state;
    this.show();
    if (smoother) this.plot?.setData(this.drawn());
    if (again) this.refresh();
  }

  setCursor(cursor: number | null): void {
    this.plot?.setOptions({ cursor });
  }

  refresh(): void {
    this.stale = true;
    if (!this.near) return;
    this.stale = false;
    this.question.askAgain(
      (signal) => this.ask(signal),
      (loaded) => {
        this.loaded = loaded;
        this.plot ??= this.makePlot();
        this.show();
        this.plot.setData(this.drawn());
        this.explain();
      },
      () => undefined, // Keep the old chart; the top bar says that the server is gone.
    );
  }

  close(): void {
    this.watched.disconnect();
    this.question.giveUp();
    this.plot?.destroy();
    this.element.remove();
  }

  private seenOrNot(changes: IntersectionObserverEntry[]): void {
    this.near = changes[changes.length - 1]?.isIntersecting ?? false;
    if (!this.near) return;
    this.plot ??= this.makePlot();
    if (this.stale) this.refresh();
  }

  private makePlot(): SeriesPlot {
    const { range, look } = this.state;
    return new SeriesPlot(this.element, {
      label: this.group.label,
      xLabel: X_LABELS[look.x],
      time: look.x === 'time',
      log: look.log,
      range,
      height: this.height,
      onRange: this.actions.ranged,
      onCursor: this.actions.pointed,
    });
  }

  private show(): void {
    const { look, range, marks } = this.state;
    this.plot?.setOptions({
      xLabel: X_LABELS[look.x],
      time: look.x === 'time',
      log: look.log,
      range,
      marks: [...marks, ...this.loaded.marks],
    });
  }

  private drawn(): PlotSeries[] {
    return this.loaded.series.map((series) => smoothed(series, this.state.look.smooth));
  }

  // One request for each mode, all on one axis.
  private async ask(signal: AbortSignal): Promise<Answer<Loaded>> {
    const { series } = this.group;
    const modes = [...new Set(series.map(({ mode }) => mode))];
    const loaded: Loaded = { series: [], marks: [] };
    const asked = modes.map(async (mode) => {
      const of = series.filter((one) => one.mode === mode);
      return { of, answer: await this.askMode(of, mode, signal) };
    });
    for (const { of, answer } of await Promise.all(asked)) {
      if (!answer.ok) return answer;
      this.take(of, answer.value, loaded);
    }
    const place = (name: string): number => series.findIndex((one) => one.name === name);
    loaded.series = loaded.series
      .map((one) => ({ ...one, colour: place(one.name) }))
      .sort((a, b) => a.colour - b.colour);
    return { ok: true, value: loaded };
  }

  private explain(): void {
    const words = chartNote(this.loaded.series, (x) => this.where(x));
    this.note.textContent = words;
    this.note.hidden = words === '';
    this.element.append(this.note);
  }

  // An x on the axis, in words.
  private where(x: number): string {
    const { look } = this.state;
    if (look.x === 'step') return `step ${x}`;
    return look.x === 'time' ? clock(x) : `${x.toFixed(1)} s`;
  }

  private take(of: readonly ChartSeries[], answer: Columns<SeriesHeader>, into: Loaded): void {
    const names = of.map(({ name }) => name);
    const { look, start } = this.state;
    const shift = look.x === 'relative' ? start : 0;
    const where = (x: number): string => this.where(x - shift);
    into.marks.push(...nanMarks(answer.header.series, names, (x) => x - shift, where));
    for (const series of plotted(answer, names)) {
      const x = shift === 0 ? series.x : Float64Array.from(series.x, (value) => value - shift);
      into.series.push({ ...series, x });
    }
  }

  private askMode(
    of: readonly ChartSeries[],
    mode: Mode,
    signal: AbortSignal,
  ): Promise<Answer<Columns<SeriesHeader>>> {
    const wanted = of.map(({ tensor, statistic }) => ({ tensor, statistic }));
    const x = this.state.look.x === 'step' ? 'global' : 'time';
    return askSeries(
      this.client,
      { run: this.run, wanted, mode, worker: '', asked: this.asked(), x },
      signal,
    );
  }

  // A third more on both sides, so small moves need no request.
  private asked(): Asked {
    const { range, look, start } = this.state;
    const points = Math.min(MOST_POINTS, Math.max(LEAST_POINTS, this.element.clientWidth));
    if (!range) return { from: undefined, to: undefined, points };
    const shift = look.x === 'relative' ? start : 0;
    const [from, to] = [range[0] + shift, range[1] + shift];
    const margin = (to - from) / 3;
    return {
      from: from - margin,
      to: to + margin,
      points: Math.min(MOST_POINTS, Math.round((points * 5) / 3)),
    };
  }
}
