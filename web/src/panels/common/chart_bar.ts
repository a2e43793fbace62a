// The controls above the charts: what x is, smoothing, what y shows.

import './chart_tools.css';
import { html } from '../../base/dom';
import { type ChartLook, MOST_SMOOTH, WIDEST_WINDOW, X_WORDS, type XAxis } from './chart_look';
import { Choice, plainOptions } from './fields';

type Average = 'exponential' | 'window';

const AVERAGES = [
  { value: 'exponential', label: 'Exponential' },
  { value: 'window', label: 'Window of steps' },
];
// What a change of the kind begins with.
const USUAL = { exponential: 0.6, window: 20 };

export class ChartBar {
  readonly element: HTMLElement;
  private readonly x: Choice;
  private readonly kind: Choice;
  private readonly worker: Choice;
  private workers: readonly string[] = [];
  private readonly smooth = html('input', { type: 'range', min: 0 });
  private readonly amount = html('span', { class: 'number' });
  private readonly log = html('input', { type: 'checkbox' });
  private readonly clip = html('input', { type: 'checkbox' });
  private axes: readonly XAxis[] = ['step', 'time', 'relative'];
  private average: Average = 'exponential';

  // change: with `step`, the change is one that Back undoes.
  constructor(
    private look: ChartLook,
    private readonly change: (look: ChartLook, step: boolean) => void,
  ) {
    this.x = new Choice('X axis', (x) => this.set({ x: x as XAxis }, true));
    this.kind = new Choice('Average', (kind) => this.chooseKind(kind as Average));
    this.worker = new Choice('Rank', (worker) => this.chooseWorker(worker));
    this.smooth.addEventListener('input', () => this.setAmount(Number(this.smooth.value)));
    this.log.addEventListener('change', () => this.set({ log: this.log.checked }, true));
    this.clip.addEventListener('change', () => this.set({ clip: this.clip.checked }, true));
    this.element = html(
      'div',
      { class: 'common-bar common-chart-bar', role: 'group', 'aria-label': 'Charts' },
      this.worker.element,
      this.x.element,
      this.kind.element,
      html('label', { class: 'field' }, html('span', {}, 'Smoothing ', this.amount), this.smooth),
      html('label', { class: 'check' }, this.log, 'Logarithmic y'),
      html('label', { class: 'check' }, this.clip, 'Clip outliers'),
    );
    this.show(look);
  }

  // The axes that the run has.
  offer(axes: readonly XAxis[]): void {
    this.axes = axes;
    this.show(this.look);
  }

  // The workers that saved values; one is not offered.
  offerWorkers(workers: readonly string[]): void {
    this.workers = workers;
    this.show(this.look);
  }

  show(look: ChartLook): void {
    this.look = look;
    this.worker.set(plainOptions(this.workers), look.worker || (this.workers[0] ?? ''));
    this.worker.show(this.workers.length > 1);
    const offered = this.axes.includes(look.x) ? this.axes : [...this.axes, look.x];
    this.x.set(
      offered.map((value) => ({ value, label: X_WORDS[value] })),
      look.x,
    );
    if (look.window > 0) this.average = 'window';
    else if (look.smooth > 0) this.average = 'exponential';
    this.kind.set(AVERAGES, this.average);
    this.showAmount();
    this.log.checked = look.log;
    this.clip.checked = look.clip;
  }

  private showAmount(): void {
    const window = this.average === 'window';
    this.smooth.step = window ? '1' : '0.01';
    this.smooth.max = String(window ? WIDEST_WINDOW : MOST_SMOOTH);
    const value = window ? this.look.window : this.look.smooth;
    this.smooth.value = String(value);
    this.amount.textContent = value > 0 ? `${value}${window ? ' steps' : ''}` : 'off';
  }

  private chooseWorker(worker: string): void {
    this.set({ worker: worker === this.workers[0] ? '' : worker }, true);
  }

  private chooseKind(kind: Average): void {
    this.average = kind;
    const on = this.look.smooth > 0 || this.look.window > 0;
    if (on) this.setAmount(USUAL[kind]);
    else this.showAmount();
  }

  private setAmount(value: number): void {
    const window = this.average === 'window';
    this.set({ smooth: window ? 0 : value, window: window ? value : 0 }, false);
  }

  private set(change: Partial<ChartLook>, step: boolean): void {
    this.show({ ...this.look, ...change });
    this.change(this.look, step);
  }
}
