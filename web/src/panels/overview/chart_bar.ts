// The controls above the charts: what x is, smoothing, logarithmic y.

import { html } from '../../base/dom';
import { Choice } from '../common/fields';
import { type ChartLook, MOST_SMOOTH, X_WORDS, type XAxis } from './chart_look';

export class ChartBar {
  readonly element: HTMLElement;
  private readonly x: Choice;
  private readonly smooth = html('input', {
    type: 'range',
    min: 0,
    max: MOST_SMOOTH,
    step: 0.01,
  });
  private readonly weight = html('span', { class: 'number' });
  private readonly log = html('input', { type: 'checkbox' });

  // change: with `step`, the change is one that Back undoes.
  constructor(
    private look: ChartLook,
    private readonly change: (look: ChartLook, step: boolean) => void,
  ) {
    this.x = new Choice('X axis', (x) => this.set({ x: x as XAxis }, true));
    this.smooth.addEventListener('input', () =>
      this.set({ smooth: Number(this.smooth.value) }, false),
    );
    this.log.addEventListener('change', () => this.set({ log: this.log.checked }, true));
    this.element = html(
      'div',
      { class: 'common-bar overview-chart-bar', role: 'group', 'aria-label': 'Charts' },
      this.x.element,
      html('label', { class: 'field' }, html('span', {}, 'Smoothing ', this.weight), this.smooth),
      html('label', { class: 'check' }, this.log, 'Logarithmic y'),
    );
    this.show(look);
  }

  show(look: ChartLook): void {
    this.look = look;
    const options = Object.entries(X_WORDS).map(([value, label]) => ({ value, label }));
    this.x.set(options, look.x);
    if (Number(this.smooth.value) !== look.smooth) this.smooth.value = String(look.smooth);
    this.weight.textContent = look.smooth > 0 ? String(look.smooth) : 'off';
    this.log.checked = look.log;
  }

  private set(change: Partial<ChartLook>, step: boolean): void {
    this.show({ ...this.look, ...change });
    this.change(this.look, step);
  }
}
