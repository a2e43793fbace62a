// One tensor of all the runs in one plot.

import type { Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { type PlotSeries, SeriesPlot } from '../../plots/series_plot';
import { type Asked, Viewport } from '../../plots/viewport';
import { askSeries, type SeriesHeader } from '../common/series';
import { sentence } from '../common/states';
import { letter, type State } from './state';

const READING_MS = 700; // Between questions while the server still reads a run.

interface Came {
  series: PlotSeries[];
  missing: string[];
}

export class Overlay {
  readonly element = html('div', { class: 'compare-plot' });
  private readonly note = html('p', { class: 'common-note', role: 'status' });
  private readonly plot: SeriesPlot;
  private readonly viewport: Viewport<Came>;
  private readonly reading = new Paced(() => this.grown(), READING_MS);
  private question = '';
  private runs: readonly { id: string; name: string }[] = [];
  private tensor = '';
  private state: State | null = null;
  private waiting = false;

  constructor(
    private readonly client: Client,
    change: (change: Partial<State>) => void,
  ) {
    this.plot = new SeriesPlot(this.element, {
      label: '',
      height: 320,
      xLabel: 'Step',
      onRange: (range, settled) => {
        this.viewport.look(range, settled);
        if (settled) change({ range });
      },
    });
    this.element.append(this.note);
    this.viewport = new Viewport<Came>({
      ask: (asked, signal) => this.ask(asked, signal),
      show: ({ series, missing }) => {
        this.plot.setData(series);
        this.note.textContent = missing.join(' ');
      },
      pixels: () => this.element.clientWidth,
    });
  }

  show(
    state: State,
    runs: readonly { id: string; name: string }[],
    tensor: string,
    label: string,
  ): void {
    this.state = state;
    this.runs = runs;
    this.tensor = tensor;
    this.plot.setOptions({ label, log: state.log, range: state.range });
    this.viewport.look(state.range, true);
    const question = JSON.stringify([runs, tensor, state.statistic, state.mode]);
    if (question !== this.question && tensor !== '') this.viewport.refresh();
    this.question = question;
  }

  grown(): void {
    if (!this.waiting && this.tensor !== '') this.viewport.refresh();
  }

  close(): void {
    this.reading.stop();
    this.viewport.close();
    this.plot.destroy();
  }

  private async ask(asked: Asked, signal: AbortSignal): Promise<Came | null> {
    const { state, tensor, runs } = this;
    if (!state || tensor === '') return null;
    this.waiting = true;
    const wanted = [{ tensor, statistic: state.statistic }];
    const answers = await Promise.all(
      runs.map(({ id }) =>
        askSeries(this.client, { run: id, wanted, mode: state.mode, worker: '', asked }, signal),
      ),
    );
    if (signal.aborted) return null;
    this.waiting = false;
    if (answers.some((answer) => answer.ok && answer.value.header.ingested?.done === false))
      this.reading.tell();
    const came: Came = { series: [], missing: [] };
    answers.forEach((answer, i) => {
      const name = `${letter(i).toUpperCase()}  ${runs[i]?.name ?? ''}`;
      if (!answer.ok)
        came.missing.push(`${runs[i]?.name ?? ''}: ${sentence(answer.error.message)}`);
      else if (!foundIn(answer.value))
        came.missing.push(`${runs[i]?.name ?? ''} did not save this tensor.`);
      else
        came.series.push({
          name,
          x: answer.value.column('x0'),
          low: answer.value.column('low0'),
          high: answer.value.column('high0'),
          colour: i,
          nan: true,
        });
    });
    return came;
  }
}

const foundIn = ({ header }: Columns<SeriesHeader>): boolean => header.series[0]?.found === true;
