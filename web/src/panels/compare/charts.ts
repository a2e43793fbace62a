// What all charts of the page share: runs, controls, x axis, zoom and cursor.

import type { Client } from '../../api/client';
import type { RunDetail, RunId, TensorList } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import type { PlotMark, PlotOptions } from '../../plots/series_plot';
import { ChartBar } from '../common/chart_bar';
import { type ChartSeries, modesOf } from '../common/chart_groups';
import { type ChartLook, readLook, X_LABELS, X_WORDS } from '../common/chart_look';
import { nanMarks } from '../common/chart_marks';
import type { Measured } from '../common/series';
import { axisOptions } from '../common/x_scale';
import { Cell, type CellPlace, type Range } from './cell';
import { CellSource, type Wanted } from './cell_source';
import { drawnSeries } from './drawn_series';
import { RunAxes } from './run_axes';
import { letter, type State } from './state';

export interface Run {
  id: RunId;
  name: string;
}

const SHOWN_MS = 100; // Between two drawings while answers come.

type View = Pick<State, 'look' | 'range' | 'mean' | 'full' | 'hidden'>;
type Change = (change: Partial<State>, step?: boolean) => void;

export class Charts {
  readonly bar: HTMLElement;
  readonly note = html('p', { class: 'common-note', role: 'status' });
  private readonly fields: ChartBar;
  private readonly mean = html('input', { type: 'checkbox' });
  private readonly axes: RunAxes;
  private readonly source: CellSource;
  private readonly cells = new Set<Cell>();
  private readonly changed = new Set<Cell>();
  private readonly drawSoon = new Paced(() => this.drawChanged(), SHOWN_MS);
  private runs: readonly Run[] = [];
  private list: TensorList | null = null;
  private placed = ''; // Which runs are on which axis.
  private view: View = {
    look: readLook(new URLSearchParams()),
    range: null,
    mean: false,
    full: '',
    hidden: [],
  };

  constructor(
    client: Client,
    private readonly change: Change,
  ) {
    this.axes = new RunAxes(client, (rescaled) => this.axesChanged(rescaled));
    this.fields = new ChartBar(this.view.look, (look, step) => this.chooseLook(look, step));
    this.mean.addEventListener('change', () => change({ mean: this.mean.checked }));
    this.bar = this.fields.element;
    this.bar.append(html('label', { class: 'check' }, this.mean, 'Mean and standard deviation'));
    const came = (cell: Cell): void => this.drawLater([cell]);
    this.source = new CellSource(client, () => this.wanted(), came);
  }

  show(state: State, runs: readonly Run[], list: TensorList | null): void {
    const { look, range, mean, full, hidden } = state;
    const before = this.view;
    this.view = { look, range, mean, full, hidden };
    this.fields.show(look);
    this.fields.offerWorkers(list?.workers ?? []);
    this.mean.checked = mean;
    const others = JSON.stringify(runs) !== JSON.stringify(this.runs);
    this.runs = runs;
    this.list = list;
    this.axes.setRuns(runs.map(({ id }) => id));
    this.axes.choose(look.x);
    const another = look.worker !== before.look.worker;
    if (another) for (const cell of this.cells) cell.came.clear();
    this.place();
    if (others || another || JSON.stringify(range) !== JSON.stringify(before.range))
      this.source.refresh();
    for (const cell of this.cells) {
      if (cell.isDrawn) this.draw(cell);
      cell.setFull(cell.place.key === full);
    }
  }

  // What is known of the runs by now.
  learn(details: ReadonlyMap<RunId, RunDetail>, lists: ReadonlyMap<RunId, TensorList>): void {
    this.axes.learn(details, lists);
    this.place();
  }

  add(metric: ChartSeries, place: CellPlace): Cell {
    const cell: Cell = new Cell(metric, place, {
      enlarged: () => this.source.refresh([cell]),
      ranged: (range, settled) => this.zoomed(range, settled),
      pointed: (x) => this.pointed(cell, x),
      hide: (names) => this.hide(names),
      full: (open) => this.chooseFull(open ? place.key : ''),
      xName: () => X_LABELS[this.axes.shown].toLowerCase(),
    });
    this.cells.add(cell);
    this.source.add(cell);
    cell.setFull(place.key === this.view.full);
    return cell;
  }

  remove(cell: Cell): void {
    this.source.remove(cell);
    this.cells.delete(cell);
    this.changed.delete(cell);
    cell.close();
  }

  // There may be more steps.
  grow(): void {
    this.axes.grow();
    this.source.refresh();
  }

  close(): void {
    this.drawSoon.stop();
    this.source.close();
    this.axes.close();
    for (const cell of this.cells) cell.close();
  }

  private chooseLook(look: ChartLook, step: boolean): void {
    // A range of steps is not one of times.
    const another = look.x !== this.view.look.x;
    this.change(another ? { look, range: null } : { look }, step);
  }

  private chooseFull(full: string): void {
    if (full !== this.view.full) this.change({ full }, full !== '');
  }

  private hide(names: readonly string[]): void {
    const hidden = this.runs.filter((_, i) => names.includes(this.nameOf(i))).map(({ id }) => id);
    this.change({ hidden }, false);
  }

  private zoomed(range: Range | null, settled: boolean): void {
    this.view = { ...this.view, range };
    for (const cell of this.cells) cell.set({ range });
    if (!settled) return;
    this.source.refresh();
    this.change({ range }, false);
  }

  private pointed(by: Cell, cursor: number | null): void {
    for (const cell of this.cells) if (cell !== by) cell.set({ cursor });
  }

  private axesChanged(rescaled: boolean): void {
    if (rescaled) this.source.refresh();
    this.place();
    this.drawLater([...this.cells].filter(({ isDrawn }) => isDrawn));
  }

  // Runs that are not on the axis, or not yet, are not asked for.
  private wanted(): Wanted {
    const runs = this.runs.flatMap(({ id }) => {
      const axis = this.axes.of(id);
      return axis ? [{ id, scale: axis.scale }] : [];
    });
    return { runs, range: this.view.range, worker: this.view.look.worker };
  }

  // What is known of the axes has changed.
  private place(): void {
    this.fields.offer(this.axes.offered);
    this.say();
    const placed = JSON.stringify([
      this.axes.shown,
      this.runs.map(({ id }) => this.axes.of(id) !== null),
    ]);
    if (placed === this.placed) return;
    this.placed = placed;
    this.source.refresh();
  }

  private say(): void {
    const { shown, without, known } = this.axes;
    const words: string[] = [];
    const { x } = this.view.look;
    const count = `${X_WORDS[x].toLowerCase()}s`;
    if (shown !== x && known) words.push(`No run recorded its ${count}: x is the step.`);
    const names = this.runs.filter(({ id }) => without.includes(id)).map(({ name }) => name);
    if (names.length > 0) words.push(`Not shown (no ${count} recorded): ${names.join(', ')}.`);
    const modes = this.list ? modesOf(this.list) : [];
    if (modes.length > 1 && shown === 'step')
      words.push(`Steps are counted over all modes (${modes.join(', ')}), as in findings.`);
    this.note.textContent = words.join(' ');
    this.note.hidden = words.length === 0;
  }

  private nameOf(i: number): string {
    return `${letter(i).toUpperCase()}  ${this.runs[i]?.name ?? ''}`;
  }

  private draw(cell: Cell): void {
    const { look, range, mean } = this.view;
    const { shown } = this.axes;
    const all: Measured[] = [];
    const [marks, hidden]: [PlotMark[], string[]] = [[], []];
    this.runs.forEach(({ id }, i) => {
      const name = this.nameOf(i);
      const axis = this.axes.of(id);
      const isHidden = this.view.hidden.includes(id);
      if (isHidden) hidden.push(name);
      if (!axis) return;
      const came = cell.came.get(id);
      const known = came?.axis === shown ? came : null; // What came may be of the axis before.
      if (known?.series) all.push({ ...known.series, name, colour: i });
      if (isHidden) return;
      const { at, words } = axis.scale;
      marks.push(...axis.marks.map((mark) => ({ ...mark, label: `${name}: ${mark.label}` })));
      if (known?.told) marks.push(...nanMarks([known.told], [name], at, (x) => words(at(x))));
    });
    const options: Partial<PlotOptions> = { range, log: look.log, clip: look.clip, marks, hidden };
    cell.draw(drawnSeries(all, look, mean, hidden), all, { ...options, ...axisOptions(shown) });
  }

  private drawLater(cells: readonly Cell[]): void {
    for (const cell of cells) this.changed.add(cell);
    this.drawSoon.tell();
  }

  private drawChanged(): void {
    for (const cell of this.changed) this.draw(cell);
    this.changed.clear();
  }
}
