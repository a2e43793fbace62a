// The color scale of a heat map.

import { html } from '../base/dom';
import { cssOf, type Ramp } from './ramp';

const WIDTH = 128;

export class HeatScale {
  readonly element = html('span', { class: 'heat-scale' });
  private readonly bar = html('canvas', {
    class: 'heat-bar',
    width: WIDTH,
    height: 1,
    'aria-hidden': 'true',
  });
  private readonly low = html('span');
  private readonly high = html('span');
  private readonly hole = html('span', { class: 'heat-hole' });

  constructor() {
    const square = html('span', { class: 'heat-hole-mark', 'aria-hidden': 'true' });
    this.hole.append(square, 'not measured');
    const unseen = (words: string): HTMLElement => html('span', { class: 'plot-unseen' }, words);
    this.element.append(
      unseen('Colors from'),
      this.low,
      this.bar,
      unseen('to'),
      this.high,
      this.hole,
    );
  }

  show(ramp: Ramp, write: (value: number) => string, holes: boolean): void {
    const on = this.bar.getContext('2d');
    for (let i = 0; on && i < WIDTH; ++i) {
      on.fillStyle = cssOf(ramp.shades[Math.round((i / (WIDTH - 1)) * 255)] ?? 0);
      on.fillRect(i, 0, 1, 1);
    }
    this.low.textContent = write(ramp.value(0));
    this.high.textContent = write(ramp.value(1));
    this.hole.hidden = !holes;
  }
}
