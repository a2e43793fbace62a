// Plots of the runs above the list: parallel coordinates and scatter. A range that is marked on an
// axis becomes a piece of the filter.

import { html } from '../../base/dom';
import { button, Choice, type Option } from '../common/fields';
import { type Column, columnOf } from './columns';
import { type Catalogue, fieldId, fieldTitle, type ListedRun } from './fields';
import { limitsOf, piecesOf, quoted, withComparisons } from './filter';
import { ParallelPlot } from './parallel';
import { type Axis, axisOf, piecesBetween } from './plot_axis';
import type { PlotActions, PlotCanvas } from './plot_canvas';
import { parallelAxes, type PlotChoice, tellingColumns } from './plot_choice';
import { ScatterPlot } from './scatter';

export interface PlotsState {
  choice: PlotChoice;
  columns: readonly string[]; // Of the table.
  catalogue: Catalogue;
  runs: readonly ListedRun[]; // The selected ones, or all.
  shown: readonly ListedRun[]; // Those that the filter keeps.
  filter: string;
  selected: number;
}

export interface PlotsActions {
  choose: (choice: PlotChoice) => void;
  filter: (text: string) => void;
  open: (run: ListedRun) => void;
  announce: (words: string) => void;
}

const HELP = {
  parallel:
    'Axes are the shown columns of hyperparameters and metrics; the color is that of the last one. Drag along an axis to filter, click it to clear. By keyboard: left and right choose an axis, up and down a run, Enter opens it.',
  scatter:
    'Drag along an axis to filter, click it to clear. By keyboard: left and right choose an axis, up and down a run, Enter opens it.',
};

export class PlotsCard {
  readonly element: HTMLElement;
  private readonly title = html('h2');
  private readonly place = html('div');
  private readonly help = html('p', { class: 'quiet runs-help' });
  private readonly x: Choice;
  private readonly y: Choice;
  private readonly color: Choice;
  private readonly limits: LimitFields;
  private plot: PlotCanvas | null = null;
  private kind = '';
  private state: PlotsState | null = null;

  constructor(private readonly actions: PlotsActions) {
    const chooser = (label: string, key: 'x' | 'y' | 'color'): Choice =>
      new Choice(label, (id) => {
        if (this.state) actions.choose({ ...this.state.choice, [key]: id });
      });
    this.x = chooser('X axis', 'x');
    this.y = chooser('Y axis', 'y');
    this.color = chooser('Color', 'color');
    this.limits = new LimitFields((axis, pieces) => this.filter(axis, pieces));
    const close = button('Close', () => {
      if (this.state) actions.choose({ ...this.state.choice, kind: '' });
    });
    const fields = html(
      'div',
      { class: 'row' },
      ...[this.x, this.y, this.color].map(({ element }) => element),
    );
    for (const { element } of [this.x, this.y, this.color]) element.classList.add('inline');
    this.element = html(
      'section',
      { class: 'card runs-plots', 'aria-label': 'Plot of the runs' },
      html('div', { class: 'row apart' }, this.title, fields, close),
      this.place,
      this.limits.element,
      this.help,
    );
  }

  close(): void {
    this.plot?.close();
  }

  show(state: PlotsState): void {
    this.state = state;
    const { kind } = state.choice;
    this.element.hidden = kind === '';
    if (kind !== this.kind) this.make(kind);
    if (kind === '' || !this.plot) return;
    const count = state.selected > 1 ? `${state.selected} selected runs` : 'all runs';
    this.title.textContent =
      kind === 'parallel' ? `Parallel coordinates of ${count}` : `Scatter plot of ${count}`;
    this.help.textContent = HELP[kind];
    const now = Date.now() / 1000;
    const axis = (id: string): Axis | null => {
      const column = columnOf(id, state.catalogue);
      return column?.order ? axisOf(column, state.runs, now) : null;
    };
    const ids =
      kind === 'parallel'
        ? parallelAxes(state.columns, state.catalogue, state.runs)
        : this.chosen(state);
    const axes = ids.map(axis).filter((one) => one !== null);
    this.plot.show({
      axes,
      runs: state.runs,
      inside: new Set(state.shown.map(({ id }) => id)),
      color: kind === 'parallel' ? (axes.at(-1) ?? null) : axis(state.choice.color),
      ranges: axes.map((one) => rangeOf(one, state.filter)),
    });
    this.limits.show(axes, state.filter);
  }

  private chosen({ choice, catalogue, runs }: PlotsState): string[] {
    const telling = [...tellingColumns(catalogue, runs), 'duration', 'step'];
    const last = telling.find((id) => id.startsWith('last:'));
    const x = choice.x || telling[0] || 'duration';
    const y = choice.y || (last ?? telling.find((id) => id !== x) ?? 'step');
    const options = optionsOf(catalogue);
    this.x.set(options, x);
    this.y.set(options, y);
    this.color.set([{ value: '', label: 'none' }, ...options], choice.color);
    return [x, y];
  }

  private make(kind: PlotChoice['kind']): void {
    this.plot?.close();
    this.kind = kind;
    for (const choice of [this.x, this.y, this.color]) choice.show(kind === 'scatter');
    const actions: PlotActions = {
      open: this.actions.open,
      announce: this.actions.announce,
      keep: (axis, from, to) => this.filter(axis, piecesBetween(axis, from, to)),
      keepAll: (axis) => this.filter(axis, []),
    };
    this.plot =
      kind === 'parallel'
        ? new ParallelPlot(actions)
        : kind === 'scatter'
          ? new ScatterPlot(actions)
          : null;
    this.place.replaceChildren(...(this.plot ? [this.plot.element] : []));
  }

  private filter({ name }: Axis, pieces: readonly string[]): void {
    if (this.state)
      this.actions.filter(withComparisons(this.state.filter, name.replaceAll('"', ''), pieces));
  }
}

// Numbers for those who cannot drag, or want to be exact.
class LimitFields {
  readonly element: HTMLElement;
  private readonly axis: Choice;
  private readonly from = html('input', { type: 'number', step: 'any' });
  private readonly to = html('input', { type: 'number', step: 'any' });
  private readonly numbers: HTMLElement;
  private readonly word: Choice;
  private axes: readonly Axis[] = [];
  private chosen = '';
  private text = '';

  constructor(private readonly keep: (axis: Axis, pieces: readonly string[]) => void) {
    this.axis = new Choice('Filter', (id) => {
      this.chosen = id;
      this.draw();
    });
    this.word = new Choice('is', (value) => {
      const axis = this.current();
      if (axis) keep(axis, value === '' ? [] : [`${axis.name}=${quoted(value)}`]);
    });
    for (const { element } of [this.axis, this.word]) element.classList.add('inline');
    const field = (words: string, input: HTMLElement): HTMLElement =>
      html('label', { class: 'field inline' }, html('span', {}, words), input);
    this.numbers = html('span', { class: 'row' }, field('from', this.from), field('to', this.to));
    for (const input of [this.from, this.to])
      input.addEventListener('change', () => this.changed());
    const clear = button('Clear', () => {
      const axis = this.current();
      if (axis) keep(axis, []);
    });
    this.element = html(
      'div',
      { class: 'row runs-limits' },
      this.axis.element,
      this.numbers,
      this.word.element,
      clear,
    );
  }

  show(axes: readonly Axis[], text: string): void {
    this.axes = axes;
    this.text = text;
    this.element.hidden = axes.length === 0;
    this.draw();
  }

  private current(): Axis | undefined {
    return this.axes.find(({ id }) => id === this.chosen) ?? this.axes[0];
  }

  private draw(): void {
    const axis = this.current();
    if (!axis) return;
    this.axis.set(
      this.axes.map(({ id, title }) => ({ value: id, label: title })),
      axis.id,
    );
    this.numbers.hidden = axis.words !== null;
    this.word.show(axis.words !== null);
    const name = axis.name.replaceAll('"', '');
    if (axis.words) {
      const words = axis.words.map((word) => ({ value: word, label: word }));
      const is = axis.words.find((word) => this.text.includes(`${axis.name}=${quoted(word)}`));
      this.word.set([{ value: '', label: 'anything' }, ...words], is ?? '');
      return;
    }
    const [low, high] = limitsOf(this.text, name) ?? [-Infinity, Infinity];
    const shown = (value: number): string => (Number.isFinite(value) ? String(value) : '');
    if (document.activeElement !== this.from) this.from.value = shown(low);
    if (document.activeElement !== this.to) this.to.value = shown(high);
  }

  private changed(): void {
    const axis = this.current();
    if (!axis) return;
    const pieces: string[] = [];
    if (this.from.value !== '') pieces.push(`${axis.name}>=${this.from.value}`);
    if (this.to.value !== '') pieces.push(`${axis.name}<=${this.to.value}`);
    this.keep(axis, pieces);
  }
}

// Where the limits of the filter are on an axis; beyond its ends if there is none.
function rangeOf(axis: Axis, filter: string): [number, number] | null {
  const name = axis.name.replaceAll('"', '');
  if (axis.words) {
    const { words } = axis;
    const at = words.findIndex((word) => piecesOf(filter).includes(`${axis.name}=${quoted(word)}`));
    if (at < 0) return null;
    const place = words.length === 1 ? 0.5 : at / (words.length - 1);
    return [place - 0.02, place + 0.02];
  }
  const limits = limitsOf(filter, name);
  if (!limits) return null;
  const [low, high] = axis.range;
  const place = (value: number): number =>
    Number.isFinite(value) ? ((axis.log ? Math.log10(value) : value) - low) / (high - low) : value;
  const [from, to] = limits.map(place) as [number, number];
  return [Math.max(-0.02, from), Math.min(1.02, to)];
}

function optionsOf(catalogue: Catalogue): Option[] {
  const fields = (
    kind: 'param' | 'tag' | 'last' | 'min' | 'max',
    names: readonly string[],
  ): Option[] =>
    names.map((name) => ({
      value: fieldId({ kind, name }),
      label: fieldTitle({ kind, name }),
      group: kind === 'param' ? 'Hyperparameters' : kind === 'tag' ? 'Tags' : 'Metrics',
    }));
  const builtIn = (['duration', 'step'] as const)
    .map((id) => columnOf(id))
    .filter((column): column is Column => column !== null);
  return [
    ...fields('param', catalogue.params),
    ...fields('tag', catalogue.tags),
    ...catalogue.scalars.flatMap((name) =>
      (['last', 'min', 'max'] as const).flatMap((kind) => fields(kind, [name])),
    ),
    ...builtIn.map(({ id, title }) => ({ value: id, label: title, group: 'Run' })),
  ];
}
