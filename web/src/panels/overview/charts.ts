// Charts of everything that was saved as a number, updated live. They share x axis, zoom and
// cursor; readers move them, pin them to the top and open them in the whole window.

import type { Client } from '../../api/client';
import type { RunDetail, TensorList } from '../../api/types';
import { counted } from '../../api/words';
import { html } from '../../base/dom';
import { type ChartGroup, type ChartSection, chartSections, modesOf } from '../common/chart_groups';
import { ChartBar } from '../common/chart_bar';
import { type ChartLook, X_WORDS } from '../common/chart_look';
import { movable } from '../common/move_handle';
import { RunAxis } from '../common/run_axis';
import type { StepTimes } from '../common/step_times';
import {
  type Arrangement,
  arranged,
  moved,
  PINNED,
  remember,
  remembered,
  togglePin,
} from './arrangement';
import { Chart, type ChartState, type Range } from './chart';

const NOTHING_SAVED =
  'No losses, metrics or scalars saved yet. Add the collections “losses” and “metrics” to the hook configuration, or call hook.save_scalar().';
// Pixels: the first chart (losses) if it is the only one, the first of several, all others.
const HEIGHTS = { alone: 420, first: 260, other: 180 };

// What the URL says of the charts.
export interface ChartsView {
  look: ChartLook;
  range: Range | null;
  pinned: readonly string[] | null; // Null: as this browser remembers.
  full: string; // The chart that fills the window; '': none.
  hidden: readonly string[]; // Names of series.
}

export interface ChartsActions {
  ranged: (range: Range | null) => void;
  looked: (look: ChartLook, step: boolean) => void;
  pinned: (pinned: readonly string[]) => void;
  full: (chart: string) => void;
  hidden: (names: readonly string[]) => void;
  announce: (words: string) => void;
}

// A place for the charts of a section; the first has no heading of its own.
class SectionPlace {
  readonly grid = html('div', { class: 'overview-charts' });
  readonly element: HTMLElement;
  private readonly count = html('span', { class: 'quiet' });

  constructor({ key, title, open }: ChartSection) {
    if (key === '') {
      this.grid.classList.add('overview-main');
      this.element = this.grid;
      return;
    }
    const details = html(
      'details',
      { class: 'overview-chart-section' },
      html('summary', {}, html('h3', {}, title), ' ', this.count),
      this.grid,
    );
    details.open = open;
    this.element = details;
  }

  setCount(count: number): void {
    this.count.textContent = counted(count, 'chart');
  }
}

export class Charts {
  readonly element: HTMLElement;
  private readonly bar: ChartBar;
  private readonly sections = html('div');
  private readonly note = html('p', { class: 'quiet' }, 'Nothing saved yet.');
  private readonly charts = new Map<string, Chart>();
  private readonly places = new Map<string, SectionPlace>();
  private readonly axis: RunAxis;
  private state: ChartState;
  private arrangement: Arrangement;
  private full: string;
  private list: TensorList | null = null;
  private shown: ChartSection[] = [];

  constructor(
    private readonly client: Client,
    private readonly run: RunDetail,
    times: StepTimes,
    { look, range, pinned, full, hidden }: ChartsView,
    private readonly actions: ChartsActions,
  ) {
    this.axis = new RunAxis(client, run.id, times, run, look.x, (rescaled) =>
      this.axisChanged(rescaled),
    );
    this.state = { look, range, scale: this.axis.scale, marks: [], hidden };
    const known = remembered();
    this.arrangement = { ...known, pinned: pinned ?? known.pinned };
    this.full = full;
    this.bar = new ChartBar(look, (next, step) => this.chooseLook(next, step));
    this.bar.element.hidden = true; // Until there is a chart.
    this.element = html(
      'section',
      { class: 'card', 'aria-label': 'Losses and metrics' },
      html('div', { class: 'row apart' }, html('h2', {}, 'Losses and metrics'), this.bar.element),
      this.note,
      this.sections,
    );
  }

  setTensors(list: TensorList): void {
    this.list = list;
    this.axis.setTensors(list);
    this.bar.offerWorkers(list.workers);
    this.arrange();
    this.say(list);
  }

  setRun(run: RunDetail): void {
    this.axis.setRun(run);
  }

  // Findings on an axis of times wait for these.
  mark(): void {
    this.axis.mark();
  }

  // As in the URL.
  setView({ look, range, pinned, full, hidden }: ChartsView): void {
    this.bar.show(look);
    this.axis.choose(look.x);
    const { scale, marks } = this.axis;
    this.set({ look, range, scale, marks, hidden }, true);
    this.arrangement = { ...this.arrangement, pinned: pinned ?? remembered().pinned };
    this.full = full;
    this.arrange();
  }

  grow(): void {
    for (const chart of this.charts.values()) chart.refresh();
    this.axis.grow();
  }

  close(): void {
    this.axis.close();
    for (const chart of this.charts.values()) chart.close();
  }

  private set(change: Partial<ChartState>, again: boolean): void {
    this.state = { ...this.state, ...change };
    for (const chart of this.charts.values()) chart.setState(this.state, again);
  }

  private chooseLook(look: ChartLook, step: boolean): void {
    const another = look.x !== this.state.look.x;
    const again = another || look.worker !== this.state.look.worker;
    if (another) this.axis.choose(look.x);
    const { scale, marks } = this.axis;
    // A range of steps is not one of times.
    this.set(another ? { look, scale, marks, range: null } : { look }, again);
    this.actions.looked(look, step);
    if (another) this.actions.ranged(null);
    if (this.list) this.say(this.list);
  }

  private axisChanged(rescaled: boolean): void {
    const { scale, marks, axes } = this.axis;
    this.bar.offer(axes);
    this.set({ scale, marks }, rescaled);
    if (rescaled && this.list) this.say(this.list);
  }

  // Charts in their places, as the reader wants them.
  private arrange(): void {
    if (!this.list) return;
    this.shown = arranged(chartSections(this.list), this.arrangement);
    const wanted = new Set(this.shown.flatMap(({ charts }) => charts.map(({ key }) => key)));
    for (const [key, chart] of this.charts) {
      if (wanted.has(key)) continue;
      chart.close();
      this.charts.delete(key);
    }
    for (const [key, place] of this.places)
      if (!this.shown.some((section) => section.key === key)) place.element.remove();
    const alone = wanted.size === 1;
    this.shown.forEach((section, i) => this.showSection(section, i, alone));
    for (const [key, chart] of this.charts) {
      chart.setPinned(this.arrangement.pinned.includes(key));
      if (key !== this.full) chart.setFull(false);
    }
    this.charts.get(this.full)?.setFull(true);
  }

  private showSection(section: ChartSection, at: number, alone: boolean): void {
    const place = this.places.get(section.key) ?? new SectionPlace(section);
    this.places.set(section.key, place);
    if (this.sections.children[at] !== place.element)
      this.sections.insertBefore(place.element, this.sections.children[at] ?? null);
    place.setCount(section.charts.length);
    const { grid } = place;
    const main = section.key === '';
    section.charts.forEach((group, i) => {
      const known = this.charts.get(group.key);
      const chart = known ?? this.make(group);
      known?.setGroup(group);
      chart.setHeight(main && i === 0 ? (alone ? HEIGHTS.alone : HEIGHTS.first) : HEIGHTS.other);
      if (grid.children[i] !== chart.element)
        grid.insertBefore(chart.element, grid.children[i] ?? null);
    });
  }

  private make(group: ChartGroup): Chart {
    const { key, label } = group;
    const chart: Chart = new Chart(this.client, this.run, group, this.state, {
      ranged: (range, settled) => this.zoomed(range, settled),
      pointed: (x) => this.point(chart, x),
      pin: () => this.pin(key, label),
      full: (open) => this.showFull(open ? key : ''),
      hide: (hidden) => this.hide(hidden),
    });
    movable({
      handle: chart.handle,
      element: chart.element,
      others: () => [...(chart.element.parentElement?.children ?? [])] as HTMLElement[],
      move: (to) => this.move(key, label, to),
    });
    this.charts.set(key, chart);
    return chart;
  }

  private pin(key: string, label: string): void {
    this.keep(togglePin(this.arrangement, key));
    const { pinned } = this.arrangement;
    this.actions.pinned(pinned);
    this.actions.announce(
      pinned.includes(key) ? `${label} is pinned to the top.` : `${label} is no longer pinned.`,
    );
  }

  private move(key: string, label: string, to: number): void {
    const section = this.shown.find(({ charts }) => charts.some((chart) => chart.key === key));
    if (!section) return;
    const keys = section.charts.map((chart) => chart.key);
    this.keep(moved(this.arrangement, section.key, keys, key, to));
    if (section.key === PINNED) this.actions.pinned(this.arrangement.pinned);
    this.actions.announce(`${label} is chart ${to + 1} of ${keys.length}.`);
  }

  private keep(arrangement: Arrangement): void {
    this.arrangement = arrangement;
    remember(arrangement);
    this.arrange();
  }

  private showFull(key: string): void {
    if (key === this.full) return;
    this.full = key;
    this.actions.full(key);
  }

  private hide(hidden: readonly string[]): void {
    this.set({ hidden }, false);
    this.actions.hidden(hidden);
  }

  private zoomed(range: Range | null, settled: boolean): void {
    this.set({ range }, settled);
    if (settled) this.actions.ranged(range);
  }

  private point(by: Chart, x: number | null): void {
    for (const chart of this.charts.values()) if (chart !== by) chart.setCursor(x);
  }

  private say(list: TensorList): void {
    const { steps, total, done } = list.ingested;
    const words: string[] = [];
    if (!done)
      words.push(
        `Reading the run: ${steps.toLocaleString('en')} of ${total.toLocaleString('en')} steps.`,
      );
    else if (this.charts.size === 0) words.push(NOTHING_SAVED);
    const { x } = this.state.look;
    if (x !== this.state.scale.axis)
      words.push(`The run does not tell its ${X_WORDS[x].toLowerCase()}s: x is the step.`);
    const modes = modesOf(list);
    if (modes.length > 1 && this.charts.size > 0)
      words.push(`Steps are counted over all modes (${modes.join(', ')}), as in findings.`);
    this.note.textContent = words.join(' ');
    this.note.hidden = words.length === 0;
    this.bar.element.hidden = this.charts.size === 0;
  }
}
