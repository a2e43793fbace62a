// One chart of losses or metrics: its plot and its requests.

import type { Client } from '../../api/client';
import { html } from '../../base/dom';
import { type PlotMark, SeriesPlot } from '../../plots/series_plot';
import type { Asked } from '../../plots/viewport';
import { Latest } from '../common/latest';
import { askSeries, plotted } from '../common/series';
import type { ChartGroup } from './chart_groups';

export type Range = [number, number];

const LEAST_POINTS = 200;
const MOST_POINTS = 4000;

export class Chart {
  private readonly place = html('div', { class: 'overview-chart' });
  private readonly plot: SeriesPlot;
  private readonly question = new Latest();

  constructor(
    into: HTMLElement,
    private readonly client: Client,
    private readonly run: string,
    private group: ChartGroup,
    private range: Range | null,
    private readonly ranged: (range: Range | null, settled: boolean) => void,
  ) {
    into.append(this.place);
    this.plot = new SeriesPlot(this.place, {
      label: group.label,
      xLabel: 'Step',
      range,
      onRange: (next, settled) => this.ranged(next, settled),
    });
    this.refresh();
  }

  get mode(): string {
    return this.group.mode;
  }

  setGroup(group: ChartGroup): void {
    const changed = JSON.stringify(group.wanted) !== JSON.stringify(this.group.wanted);
    this.group = group;
    if (changed) this.refresh();
  }

  setMarks(marks: PlotMark[]): void {
    this.plot.setOptions({ marks });
  }

  setHeight(height: number): void {
    this.plot.setOptions({ height });
  }

  setRange(range: Range | null): void {
    this.range = range;
    this.plot.setOptions({ range });
  }

  refresh(): void {
    const { wanted, mode } = this.group;
    const asked = this.asked();
    this.question.askAgain(
      (signal) =>
        askSeries(this.client, { run: this.run, wanted, mode, worker: '', asked }, signal),
      (answer) => this.plot.setData(plotted(answer, this.group.names)),
      () => undefined, // Keep the old chart; the top bar says that the server is gone.
    );
  }

  // A third more on both sides, so small moves need no request.
  private asked(): Asked {
    const points = Math.min(MOST_POINTS, Math.max(LEAST_POINTS, this.place.clientWidth));
    if (!this.range) return { from: undefined, to: undefined, points };
    const [from, to] = this.range;
    const margin = (to - from) / 3;
    return {
      from: from - margin,
      to: to + margin,
      points: Math.min(MOST_POINTS, Math.round((points * 5) / 3)),
    };
  }

  close(): void {
    this.question.giveUp();
    this.plot.destroy();
    this.place.remove();
  }
}
