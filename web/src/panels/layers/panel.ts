// The panel: a heat map of layers by steps, and below it the profile of one step.

import { below } from '../../api/client';
import type { LiveEvent, TensorList } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { figure } from '../../base/format';
import { refill } from '../../base/refill';
import { HeatCanvas } from '../../plots/heat_canvas';
import { type Asked, Viewport } from '../../plots/viewport';
import { Latest } from '../common/latest';
import { stepsOf } from '../common/series';
import { empty, loading, refused } from '../common/states';
import { isShare, rampOf, statisticWords } from '../common/statistics';
import type { RunContext, View } from '../panel';
import { EVERYTHING } from './choices';
import { extremes } from './extremes';
import { LayersFields } from './fields';
import { colourRange, columnOf, type HeatHeader, type Matrix, matrixOf, profileAt } from './matrix';
import { Profile } from './profile';
import { readState, type State, writeState } from './state';

export class LayersView implements View {
  private state: State;
  private list: TensorList | null = null;
  private readonly latest = new Latest();
  private readonly grownSoon = new Paced(() => this.waiting || this.viewport?.refresh(), 1000);
  private readonly listSoon = new Paced(() => this.load(), 5000);
  private readonly fields = new LayersFields((change) => this.change(change, true));
  private readonly trouble = html('div');
  private readonly heatBox = html('div', { class: 'layers-heat' });
  private readonly note = html('p', { class: 'common-note' });
  private readonly slider = html('input', {
    type: 'range',
    min: 0,
    max: 0,
    'aria-label': 'Step shown in the layer profile',
  });
  private readonly at = html('span', { class: 'number quiet' });
  private readonly lists = html('div');
  private heat: HeatCanvas | null = null;
  private profile: Profile | null = null;
  private viewport: Viewport<Matrix> | null = null;
  private matrix: Matrix | null = null;
  private pointed: number | null = null; // The step last under the pointer.
  private question = '';
  private waiting = false;
  private several = false; // Columns cover several steps.
  private drawn: { matrix: Matrix; column: number } | null = null; // What the profile shows.

  constructor(
    private readonly context: RunContext,
    private readonly into: HTMLElement,
  ) {
    this.state = readState(context.params);
    into.append(loading('Loading layers …'));
    this.load();
  }

  navigate(params: URLSearchParams): void {
    this.state = readState(params);
    this.show();
  }

  live(event: LiveEvent): void {
    if (event.event !== 'steps' && event.event !== 'back') return;
    this.grownSoon.tell();
    if (event.event === 'back' || !this.list?.ingested.done) this.listSoon.tell();
  }

  close(): void {
    this.latest.giveUp();
    this.grownSoon.stop();
    this.listSoon.stop();
    this.viewport?.close();
    this.heat?.destroy();
    this.profile?.destroy();
  }

  private change(change: Partial<State>, step = false): void {
    this.state = { ...this.state, ...change };
    this.context.setParams(writeState(this.state), step);
    this.show();
  }

  private load(): void {
    this.latest.askAgain(
      (signal) =>
        this.context.client.get<TensorList>(below(this.context.run.id, 'tensors'), { signal }),
      (list) => this.loaded(list),
      (error) => {
        if (!this.list) this.into.replaceChildren(refused(error, () => this.load()));
      },
    );
  }

  private loaded(list: TensorList): void {
    this.list = list;
    if (list.tensors.length === 0) {
      this.into.replaceChildren(
        empty(
          'No steps saved yet',
          'Layers appear here when the training saves its first tensors.',
        ),
      );
      return;
    }
    if (!this.heat) this.build();
    this.show();
  }

  private build(): void {
    const profileBox = html('div', { class: 'layers-profile' });
    const stepBar = html(
      'div',
      { class: 'layers-step' },
      html('h2', {}, 'Layer profile'),
      this.slider,
      this.at,
    );
    this.into.replaceChildren(
      html('div', { class: 'card' }, this.fields.element, this.trouble, this.heatBox, this.note),
      html('div', { class: 'card' }, stepBar, profileBox, this.lists),
    );
    this.slider.addEventListener('input', () => {
      this.pointed = null;
      const step = this.matrix?.x[Number(this.slider.value)];
      if (step !== undefined) this.change({ step });
    });
    this.profile = new Profile(
      profileBox,
      (row) => this.open(row, this.step()),
      (row) => this.heat?.setOptions({ shown: row }),
    );
    this.heat = this.makeHeat();
    this.viewport = new Viewport<Matrix>({
      ask: (asked, signal) => this.ask(asked, signal),
      show: (matrix) => this.draw(matrix),
      pixels: () => this.heatBox.clientWidth,
      perPixel: 0.5,
      most: 1500,
    });
  }

  private makeHeat(): HeatCanvas {
    return new HeatCanvas(this.heatBox, {
      label: '',
      rows: [],
      write: (value) => (Number.isFinite(value) ? figure(value) : 'NaN or infinite'),
      ramp: 'log',
      xLabel: 'step',
      writeX: (x) => Math.round(x).toLocaleString('en'),
      onPick: (row, x) => this.open(row, x),
      onView: (range, settled) => {
        this.viewport?.look(range, settled);
        if (settled) this.change({ range });
      },
      onCursor: (x) => {
        // The profile stays at the step last under the pointer.
        if (x === null || !this.matrix) return;
        this.pointed = x;
        this.drawProfile();
      },
    });
  }

  private show(): void {
    if (!this.list || !this.heat) return;
    this.fields.show(this.list, this.state);
    const { mode, worker, match, range } = this.state;
    const { collection, statistic } = this.fields;
    const words = statisticWords(statistic);
    this.heat.setOptions({
      label: `${words.charAt(0).toUpperCase()}${words.slice(1)}, ${collection}`,
      view: range,
    });
    this.viewport?.look(range, true);
    const question = JSON.stringify([collection, statistic, mode, worker, match]);
    if (question !== this.question) this.viewport?.refresh();
    else this.drawProfile();
    this.question = question;
  }

  private async ask(asked: Asked, signal: AbortSignal): Promise<Matrix | null> {
    const { mode, worker, match } = this.state;
    const { collection, statistic } = this.fields;
    const query = {
      collection: collection === EVERYTHING ? undefined : collection,
      match,
      statistic,
      mode,
      worker,
      ...stepsOf(asked),
      columns: asked.points,
    };
    const wrong = patternTrouble(match);
    if (wrong) {
      this.trouble.replaceChildren(refused({ status: 400, message: wrong }));
      return null;
    }
    this.waiting = true;
    const answer = await this.context.client.columns<HeatHeader>(
      below(this.context.run.id, 'heatmap'),
      { query, signal },
    );
    if (signal.aborted) return null;
    this.waiting = false;
    this.trouble.replaceChildren();
    if (answer.ok) return matrixOf(answer.value, this.list?.tensors.map(({ name }) => name) ?? []);
    this.trouble.append(refused(answer.error, () => this.viewport?.refresh()));
    return null;
  }

  private draw(matrix: Matrix): void {
    this.matrix = matrix;
    const { statistic } = this.fields;
    const ramp = rampOf(statistic);
    this.heat?.setOptions({
      rows: [...matrix.short],
      ramp,
      range: colourRange(matrix.values, ramp, isShare(statistic)),
    });
    this.heat?.setData(matrix.x, matrix.values);
    this.several = this.joins();
    this.note.textContent = this.noteOf(matrix);
    this.drawProfile();
  }

  // Whether columns cover more than one saved step.
  private joins(): boolean {
    const { rows = [], x = [] } = this.matrix ?? {};
    const shown = new Set(rows);
    const there = this.list?.tensors.filter(({ name }) => shown.has(name)) ?? [];
    const info = there.sort((a, b) => b.steps - a.steps)[0];
    if (!info || this.state.mode !== 'GLOBAL') return false;
    const perStep = info.steps / Math.max(1, info.last - info.first + 1);
    return perStep * ((x[x.length - 1] ?? 0) - (x[0] ?? 0)) > 1.5 * x.length;
  }

  private noteOf({ rows, broken, leftOut }: Matrix): string {
    if (rows.length === 0) return 'No tensors match. Choose another collection, name or statistic.';
    const lines = [
      `${rows.length.toLocaleString('en')} tensors in model order, first layer at the top. Click a cell to open the tensor at that step.`,
    ];
    if (this.several)
      lines.push('A column that covers several steps shows the value farthest from zero.');
    if (broken > 0)
      lines.push(
        `Magenta: NaN or infinite, ${broken.toLocaleString('en')} ${broken === 1 ? 'cell' : 'cells'}.`,
      );
    if (leftOut > 0)
      lines.push(
        `${leftOut.toLocaleString('en')} more tensors are not shown. Choose a collection or filter by name.`,
      );
    return lines.join(' ');
  }

  private step(): number {
    return this.pointed ?? this.state.step ?? this.matrix?.last ?? 0;
  }

  private drawProfile(): void {
    const { matrix } = this;
    if (!matrix || matrix.x.length === 0) {
      this.lists.replaceChildren();
      return this.profile?.setData([], new Float32Array(), false);
    }
    const column = columnOf(matrix, this.step());
    if (this.drawn?.matrix === matrix && this.drawn.column === column) return;
    this.drawn = { matrix, column };
    const values = profileAt(matrix, column);
    const log = rampOf(this.fields.statistic) === 'log';
    const [from, next] = [matrix.x[column] ?? 0, matrix.x[column + 1] ?? matrix.last + 1];
    this.slider.max = String(matrix.x.length - 1);
    this.slider.value = String(column);
    const [first, last] = [from, next - 1].map((step) => Math.round(step).toLocaleString('en'));
    const words = this.several && next - from > 1.5 ? `steps ${first} to ${last}` : `step ${first}`;
    this.slider.setAttribute('aria-valuetext', words);
    this.at.textContent = words;
    this.profile?.setData(matrix.rows, values, log);
    this.heat?.setOptions({ cursor: (from + next) / 2 });
    refill(
      this.lists,
      extremes(matrix, values, log, (row) => this.open(row, from)),
    );
  }

  private open(row: number, step: number): void {
    const tensor = this.matrix?.rows[row];
    if (tensor === undefined) return;
    const params = new URLSearchParams({
      tensor,
      statistic: this.fields.statistic,
      step: String(Math.round(step)),
    });
    if (this.state.mode !== 'GLOBAL') params.set('mode', this.state.mode);
    if (this.state.worker) params.set('worker', this.state.worker);
    this.context.go(`#/run/${encodeURIComponent(this.context.run.id)}/tensors?${params}`);
  }
}

// Checked before asking the server: an invalid expression is invalid there too.
function patternTrouble(match: string): string {
  try {
    new RegExp(match);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
