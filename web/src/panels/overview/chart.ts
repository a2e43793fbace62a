// One chart of losses, metrics or scalars: its plot and its requests. Nothing is requested or drawn
// until the chart is on the screen: a run may have hundreds.

import type { Answer, Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import type { Mode } from '../../api/types';
import { html } from '../../base/dom';
import {
  type PlotMark,
  type PlotOptions,
  type PlotSeries,
  SeriesPlot,
} from '../../plots/series_plot';
import { iconButton } from '../../plots/tool_icons';
import type { Asked } from '../../plots/viewport';
import type { ChartGroup, ChartSeries } from '../common/chart_groups';
import { type ChartLook, X_LABELS } from '../common/chart_look';
import { nanMarks } from '../common/chart_marks';
import { downloadMenu, FullScreen } from '../common/chart_tools';
import { Latest } from '../common/latest';
import { askSeries, type Measured, measured, type SeriesHeader } from '../common/series';
import { averaged } from '../common/smoothing';
import { axisOptions, type XScale } from '../common/x_scale';
import { chartNote } from './chart_note';

export type Range = [number, number];

export interface ChartActions {
  ranged: (range: Range | null, settled: boolean) => void;
  pointed: (x: number | null) => void;
  pin: () => void;
  full: (open: boolean) => void; // The reader opened or closed the full screen.
  hide: (names: readonly string[]) => void; // All series that the reader has hidden.
}

// What all charts share.
export interface ChartState {
  look: ChartLook;
  range: Range | null; // In units of the axis.
  scale: XScale;
  marks: readonly PlotMark[];
  hidden: readonly string[]; // Names of series.
}

const LEAST_POINTS = 200;
const MOST_POINTS = 4000;
const NEAR = '300px'; // Charts this close to the window are loaded.

interface Loaded {
  series: Measured[];
  marks: PlotMark[];
}

export class Chart {
  readonly element = html('div', { class: 'overview-chart' });
  readonly handle: HTMLButtonElement;
  private readonly body = html('div', { class: 'overview-chart-body' });
  private readonly note = html('p', { class: 'overview-note', hidden: '' });
  private readonly pinButton: HTMLButtonElement;
  private readonly full: FullScreen;
  private plot: SeriesPlot | null = null;
  private readonly question = new Latest();
  private readonly watched: IntersectionObserver;
  private loaded: Loaded = { series: [], marks: [] };
  private near = false;
  private stale = true;
  private height = 0;
  private tall: number | null = null; // The height on a full screen.

  constructor(
    private readonly client: Client,
    private readonly run: { id: string; name: string },
    private group: ChartGroup,
    private state: ChartState,
    private readonly actions: ChartActions,
  ) {
    const { label } = group;
    this.handle = iconButton('move', `Move ${label}: drag, or use the arrow keys`);
    this.pinButton = iconButton('pin', `Pin ${label} to the top`);
    this.pinButton.addEventListener('click', ({ detail }) => {
      actions.pin();
      // It was lost while the chart moved. Who uses the keyboard follows the chart.
      this.pinButton.focus({ preventScroll: detail > 0 });
    });
    this.full = new FullScreen(this.body, label, {
      height: (height) => {
        this.tall = height;
        this.plot?.setOptions({ height: height ?? this.height });
      },
      changed: actions.full,
    });
    this.element.append(this.body);
    this.watched = new IntersectionObserver((changes) => this.seenOrNot(changes), {
      rootMargin: NEAR,
    });
    this.watched.observe(this.body);
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
    if (this.tall === null) this.plot?.setOptions({ height });
  }

  setPinned(pinned: boolean): void {
    this.pinButton.setAttribute('aria-pressed', String(pinned));
  }

  setFull(open: boolean): void {
    this.full.set(open);
  }

  // again: the data has to be requested for it.
  setState(state: ChartState, again: boolean): void {
    const { look } = this.state;
    const smoother = state.look.smooth !== look.smooth || state.look.window !== look.window;
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
    this.full.close();
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
    const label = (): string => this.group.label;
    const download = downloadMenu({
      plot: () => this.plot,
      measured: () => this.loaded.series,
      label,
      xName: () => X_LABELS[this.state.scale.axis].toLowerCase(),
      file: () => `${this.run.name} ${label()}`,
    });
    return new SeriesPlot(this.body, {
      label: label(),
      ...this.shown(),
      height: this.tall ?? this.height,
      lead: this.handle,
      tools: [this.pinButton, download, this.full.button],
      onRange: this.actions.ranged,
      onCursor: this.actions.pointed,
      onHidden: this.actions.hide,
    });
  }

  private shown(): Partial<PlotOptions> {
    const { look, range, marks, scale, hidden } = this.state;
    return {
      ...axisOptions(scale.axis),
      log: look.log,
      clip: look.clip,
      range,
      marks: [...marks, ...this.loaded.marks],
      hidden,
    };
  }

  private show(): void {
    this.plot?.setOptions(this.shown());
  }

  private drawn(): PlotSeries[] {
    return this.loaded.series.map((series) => averaged(series, this.state.look));
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
    const words = chartNote(this.loaded.series, this.state.scale.words);
    this.note.textContent = words;
    this.note.hidden = words === '';
    this.body.append(this.note);
  }

  private take(of: readonly ChartSeries[], answer: Columns<SeriesHeader>, into: Loaded): void {
    const names = of.map(({ name }) => name);
    const { scale } = this.state;
    const told = answer.header.series;
    into.marks.push(...nanMarks(told, names, scale.at, (x) => scale.words(scale.at(x))));
    into.series.push(...measured(answer, names, scale.at));
  }

  private askMode(
    of: readonly ChartSeries[],
    mode: Mode,
    signal: AbortSignal,
  ): Promise<Answer<Columns<SeriesHeader>>> {
    const wanted = of.map(({ tensor, statistic }) => ({ tensor, statistic }));
    const { worker } = this.state.look;
    const x = this.state.scale.ask;
    return askSeries(
      this.client,
      { run: this.run.id, wanted, mode, worker, asked: this.asked(), x },
      signal,
    );
  }

  // A third more on both sides, so small moves need no request.
  private asked(): Asked {
    const { range, scale } = this.state;
    const points = Math.min(MOST_POINTS, Math.max(LEAST_POINTS, this.body.clientWidth));
    if (!range) return { from: undefined, to: undefined, points };
    const [from, to] = [scale.back(range[0]), scale.back(range[1])];
    const margin = (to - from) / 3;
    return {
      from: from - margin,
      to: to + margin,
      points: Math.min(MOST_POINTS, Math.round((points * 5) / 3)),
    };
  }
}
