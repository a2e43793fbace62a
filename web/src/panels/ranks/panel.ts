// The panel: a table of ranks, and a heat map of ranks by steps.

import { below } from '../../api/client';
import type { Columns } from '../../api/columns';
import type { LiveEvent, RankList } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { refill } from '../../base/refill';
import { HeatCanvas } from '../../plots/heat_canvas';
import { type Asked, Viewport } from '../../plots/viewport';
import { Choice } from '../common/fields';
import { Latest } from '../common/latest';
import { stepsOf } from '../common/series';
import { empty, loading, refused } from '../common/states';
import type { RunContext, View } from '../panel';
import { measureRamp, measureRange, measureTensor, measureValue, measureWords } from './measures';
import { readState, type State, writeState } from './state';
import { rankTable } from './table';

interface MapHeader {
  rows: string[];
}

interface RankMap {
  readonly of: string;
  readonly rows: string[];
  readonly x: ArrayLike<number>;
  readonly values: Float32Array; // Infinity: NaN or infinite. NaN: not measured.
}

function rankMapOf(of: string, answer: Columns<MapHeader>): RankMap {
  const [values, nans] = [answer.column('values'), answer.column('nans')];
  const shown = Float32Array.from(values, (value, i) =>
    nans[i] === 1 || Math.abs(value) === Infinity ? Infinity : value,
  );
  return { of, rows: answer.header.rows, x: answer.column('x'), values: shown };
}

export class RanksView implements View {
  private state: State;
  private list: RankList | null = null;
  private readonly latest = new Latest();
  private readonly grownSoon = new Paced(() => this.load(), 2000);
  private readonly measure = new Choice('Show', (of) => this.change({ of, range: null }, true));
  private readonly tablePlace = html('div', { class: 'ranks-place' });
  private readonly heatBox = html('div', { class: 'ranks-heat' });
  private readonly trouble = html('div');
  private heat: HeatCanvas | null = null;
  private viewport: Viewport<RankMap> | null = null;
  private rows: readonly string[] = [];
  private shownMeasure = '';

  constructor(
    private readonly context: RunContext,
    private readonly into: HTMLElement,
  ) {
    this.state = readState(context.params);
    into.append(loading('Loading ranks …'));
    this.load();
  }

  navigate(params: URLSearchParams): void {
    this.state = readState(params);
    this.show();
  }

  live(event: LiveEvent): void {
    if (event.event === 'steps' || event.event === 'back') this.grownSoon.tell();
  }

  close(): void {
    this.latest.giveUp();
    this.grownSoon.stop();
    this.viewport?.close();
    this.heat?.destroy();
  }

  private get of(): string {
    return this.state.of || (this.list?.measures[0] ?? '');
  }

  private change(change: Partial<State>, step: boolean): void {
    this.state = { ...this.state, ...change };
    this.context.setParams(writeState(this.state), step);
    this.show();
  }

  private load(): void {
    this.latest.askAgain(
      (signal) =>
        this.context.client.get<RankList>(below(this.context.run.id, 'ranks'), { signal }),
      (list) => this.loaded(list),
      (error) => {
        if (!this.list) this.into.replaceChildren(refused(error, () => this.load()));
      },
    );
  }

  private loaded(list: RankList): void {
    this.list = list;
    if (!list.ingested.done) this.grownSoon.tell();
    if (list.measures.length === 0 && !this.heat) {
      this.into.replaceChildren(
        empty(
          'No steps of two ranks saved yet',
          'Ranks appear here when at least two of them have saved step times or losses.',
        ),
      );
      return;
    }
    if (!this.heat) this.build();
    refill(
      this.tablePlace,
      rankTable(list.ranks, (worker) => this.addressOf('overview', { worker })),
    );
    this.show();
    this.viewport?.refresh();
  }

  private build(): void {
    this.into.replaceChildren(
      this.tablePlace,
      html(
        'section',
        { class: 'card', 'aria-label': 'Ranks by steps' },
        html('h2', {}, 'Ranks by steps'),
        html('div', { class: 'common-bar ranks-measure' }, this.measure.element),
        this.trouble,
        this.heatBox,
        html(
          'p',
          { class: 'common-note' },
          'A column that covers several steps shows the largest value. Click a cell to open it at that step.',
        ),
      ),
    );
    this.heat = new HeatCanvas(this.heatBox, {
      label: '',
      rows: [],
      rowHeight: 22,
      write: (value) => measureValue(this.of, value),
      ramp: 'sequential',
      xLabel: 'step',
      writeX: (x) => Math.round(x).toLocaleString('en'),
      onPick: (row, x) => this.open(row, x),
      onView: (range, settled) => {
        this.viewport?.look(range, settled);
        if (settled) this.change({ range }, false);
      },
    });
    this.viewport = new Viewport<RankMap>({
      ask: (asked, signal) => this.ask(asked, signal),
      show: (map) => this.draw(map),
      pixels: () => this.heatBox.clientWidth,
      perPixel: 0.5,
      most: 1500,
    });
  }

  private show(): void {
    if (!this.list || !this.heat) return;
    this.measure.set(
      this.list.measures.map((value) => ({ value, label: measureWords(value) })),
      this.of,
    );
    this.heat.setOptions({ label: measureWords(this.of), view: this.state.range });
    this.viewport?.look(this.state.range, true);
    if (this.of !== this.shownMeasure) this.viewport?.refresh();
    this.shownMeasure = this.of;
  }

  private async ask(asked: Asked, signal: AbortSignal): Promise<RankMap | null> {
    const { of } = this;
    const answer = await this.context.client.columns<MapHeader>(
      below(this.context.run.id, 'ranks/map'),
      { query: { of, ...stepsOf(asked), columns: asked.points }, signal },
    );
    if (signal.aborted) return null;
    this.trouble.replaceChildren();
    if (answer.ok) return rankMapOf(of, answer.value);
    this.trouble.append(refused(answer.error, () => this.viewport?.refresh()));
    return null;
  }

  private draw({ of, rows, x, values }: RankMap): void {
    this.rows = rows;
    this.heat?.setOptions({ rows, ramp: measureRamp(of), range: measureRange(of, values) });
    this.heat?.setData(x, values);
  }

  private open(row: number, step: number): void {
    const [worker, tensor] = [this.rows[row], measureTensor(this.of)];
    if (worker === undefined || !tensor) return;
    this.context.go(this.addressOf('tensors', { tensor, worker, step: String(Math.round(step)) }));
  }

  private addressOf(panel: string, params: Record<string, string>): string {
    const run = encodeURIComponent(this.context.run.id);
    return `#/run/${run}/${panel}?${new URLSearchParams(params)}`;
  }
}
