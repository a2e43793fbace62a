// One chart of a comparison: a metric or tensor of all runs.

import type { RunId } from '../../api/types';
import { html } from '../../base/dom';
import { type PlotOptions, type PlotSeries, SeriesPlot } from '../../plots/series_plot';
import type { ChartSeries } from '../common/chart_groups';
import type { XAxis } from '../common/chart_look';
import { downloadMenu, FullScreen } from '../common/chart_tools';
import type { Measured, SeriesHeader } from '../common/series';

export type Range = [number, number];

// The answer for one run.
export interface Came {
  number: number; // Of the question: later ones are higher.
  axis: XAxis;
  series: Measured | null; // Null: the run has none, ...
  told: SeriesHeader['series'][number] | null;
  problem: string; // ... because the request failed; '': because it has not saved it.
}

export interface CellPlace {
  key: string; // In the URL, if it fills the window.
  height: number;
  isSmall: boolean; // One of many: values are shown in a box at the cursor instead of a legend.
  drawn?: () => void; // Called after it was drawn.
}

export interface CellActions {
  enlarged: () => void; // It may need more points.
  ranged: (range: Range | null, settled: boolean) => void;
  pointed: (x: number | null) => void;
  hide: (names: readonly string[]) => void; // All series that the reader has hidden.
  full: (open: boolean) => void;
  xName: () => string;
}

const POINTS = { small: 400, large: 1600 };

export class Cell {
  readonly element: HTMLElement;
  readonly body = html('div');
  readonly came = new Map<RunId, Came>();
  near = false;
  stale = true;
  private plot: SeriesPlot | null = null;
  private measured: readonly PlotSeries[] = [];
  private tall: number | null = null; // The height on a full screen.
  private readonly full: FullScreen;

  constructor(
    readonly metric: ChartSeries,
    readonly place: CellPlace,
    private readonly actions: CellActions,
  ) {
    const { isSmall } = place;
    this.element = html('div', { class: isSmall ? 'compare-cell' : 'compare-one' }, this.body);
    this.full = new FullScreen(this.body, metric.name, {
      height: (height) => {
        this.tall = height;
        this.plot?.setOptions({ height: height ?? place.height });
        if (height !== null) actions.enlarged();
      },
      changed: actions.full,
    });
  }

  // How many points of a run are needed.
  get points(): number {
    return this.place.isSmall && this.tall === null ? POINTS.small : POINTS.large;
  }

  get isDrawn(): boolean {
    return this.plot !== null;
  }

  // measured: what is drawn, before smoothing.
  draw(drawn: PlotSeries[], measured: readonly PlotSeries[], options: Partial<PlotOptions>): void {
    this.measured = measured;
    this.plot ??= this.make();
    this.plot.setOptions(options);
    this.plot.setData(drawn);
    this.place.drawn?.();
  }

  set(options: Partial<PlotOptions>): void {
    this.plot?.setOptions(options);
  }

  setFull(open: boolean): void {
    this.full.set(open);
  }

  close(): void {
    this.full.close();
    this.plot?.destroy();
    this.element.remove();
  }

  private make(): SeriesPlot {
    const { name } = this.metric;
    const { height, isSmall } = this.place;
    const download = downloadMenu({
      plot: () => this.plot,
      measured: () => this.measured,
      label: () => name,
      xName: this.actions.xName,
      file: () => `compare ${name}`,
    });
    return new SeriesPlot(this.body, {
      label: name,
      height: this.tall ?? height,
      tip: isSmall,
      tools: [download, this.full.button],
      onRange: this.actions.ranged,
      onCursor: this.actions.pointed,
      onHidden: this.actions.hide,
    });
  }
}
