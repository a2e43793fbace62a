// Charts of everything that was saved as a number, updated live. They share x axis, zoom and cursor.

import type { Client } from '../../api/client';
import type { RuleView, RunDetail, TensorList } from '../../api/types';
import { counted } from '../../api/words';
import { html } from '../../base/dom';
import { Chart, type ChartState, type Range } from './chart';
import { ChartBar } from './chart_bar';
import { type ChartSection, chartSections, modesOf } from './chart_groups';
import type { ChartLook } from './chart_look';
import { findingMarks } from './chart_marks';
import type { StepTimes } from '../common/step_times';

const NOTHING_SAVED =
  'No losses, metrics or scalars saved yet. Add the collections “losses” and “metrics” to the hook configuration, or call hook.save_scalar().';
// Pixels: the first chart (losses) if it is the only one, the first of several, all others.
const HEIGHTS = { alone: 420, first: 260, other: 180 };

export interface ChartsActions {
  ranged: (range: Range | null) => void;
  looked: (look: ChartLook, step: boolean) => void;
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
  private state: ChartState;
  private rules: readonly RuleView[] | null = null; // The rules whose findings are marked.

  constructor(
    private readonly client: Client,
    private run: RunDetail,
    private readonly times: StepTimes,
    look: ChartLook,
    range: Range | null,
    private readonly actions: ChartsActions,
  ) {
    this.state = { look, range, start: run.started ?? run.created ?? 0, marks: [] };
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
    const sections = chartSections(list);
    const wanted = new Set(sections.flatMap(({ charts }) => charts.map(({ key }) => key)));
    for (const [key, chart] of this.charts) {
      if (wanted.has(key)) continue;
      chart.close();
      this.charts.delete(key);
    }
    const alone = wanted.size === 1;
    sections.forEach((section, i) => this.showSection(section, i === 0, alone));
    this.say(list);
  }

  setRun(run: RunDetail): void {
    this.run = run;
    if (run.rules_seen === this.rules) return;
    this.rules = run.rules_seen;
    this.mark();
  }

  // Findings on an axis of times wait for these.
  mark(): void {
    const { x } = this.state.look;
    const start = x === 'relative' ? this.start() : this.state.start;
    if (start !== this.state.start) this.set({ start }, true);
    const marks = findingMarks(this.run, (step, time) => {
      if (x === 'step') return step;
      const at = time ?? this.times.of(step);
      return at === null ? null : x === 'time' ? at : at - this.state.start;
    });
    if (JSON.stringify(marks) !== JSON.stringify(this.state.marks)) this.set({ marks }, false);
  }

  // Of a run that was copied, the first step may be older than what is known of its start.
  private start(): number {
    const first = this.times.begin();
    return first === null ? this.state.start : Math.min(this.run.started ?? first, first);
  }

  // As in the URL.
  setView(look: ChartLook, range: Range | null): void {
    this.bar.show(look);
    this.set({ look, range }, true);
    this.mark();
  }

  grow(): void {
    for (const chart of this.charts.values()) chart.refresh();
  }

  close(): void {
    for (const chart of this.charts.values()) chart.close();
  }

  private set(change: Partial<ChartState>, again: boolean): void {
    this.state = { ...this.state, ...change };
    for (const chart of this.charts.values()) chart.setState(this.state, again);
  }

  private chooseLook(look: ChartLook, step: boolean): void {
    const another = look.x !== this.state.look.x;
    // A range of steps is not one of times.
    this.set(another ? { look, range: null } : { look }, another);
    if (another) this.mark();
    this.actions.looked(look, step);
    if (another) this.actions.ranged(null);
  }

  private showSection(section: ChartSection, first: boolean, alone: boolean): void {
    let place = this.places.get(section.key);
    if (!place) {
      place = new SectionPlace(section);
      this.places.set(section.key, place);
      this.sections.append(place.element);
    }
    place.setCount(section.charts.length);
    const { grid } = place;
    section.charts.forEach((group, i) => {
      const known = this.charts.get(group.key);
      const chart = known ?? this.make(group);
      known?.setGroup(group);
      chart.setHeight(first && i === 0 ? (alone ? HEIGHTS.alone : HEIGHTS.first) : HEIGHTS.other);
      if (grid.children[i] !== chart.element)
        grid.insertBefore(chart.element, grid.children[i] ?? null);
    });
  }

  private make(group: ChartSection['charts'][number]): Chart {
    const chart: Chart = new Chart(this.client, this.run.id, group, this.state, {
      ranged: (range, settled) => this.zoomed(range, settled),
      pointed: (x) => this.point(chart, x),
    });
    this.charts.set(group.key, chart);
    return chart;
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
    const modes = modesOf(list);
    if (modes.length > 1 && this.charts.size > 0)
      words.push(`Steps are counted over all modes (${modes.join(', ')}), as in findings.`);
    this.note.textContent = words.join(' ');
    this.note.hidden = words.length === 0;
    this.bar.element.hidden = this.charts.size === 0;
  }
}
