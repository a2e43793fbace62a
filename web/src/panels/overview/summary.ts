// Progress of the run: phases, steps, speed.

import type { RunDetail } from '../../api/types';
import { isRunning } from '../../api/words';
import { html } from '../../base/dom';
import { utc } from '../../base/format';
import { facts, phaseSpans } from './progress';

export class Summary {
  readonly element: HTMLElement;
  private readonly bar = html('div', {
    class: 'overview-phases',
    role: 'list',
    'aria-label': 'Phases',
  });
  private readonly list = html('dl', { class: 'facts' });
  private readonly progress = html('progress', {
    class: 'overview-progress',
    'aria-label': 'Training progress',
    max: 1,
  });
  private run: RunDetail;
  private readonly clock = setInterval(() => this.tick(), 1000);

  constructor(run: RunDetail) {
    this.run = run;
    this.element = html(
      'section',
      { class: 'card', 'aria-label': 'Progress' },
      this.bar,
      this.progress,
      this.list,
    );
    this.draw();
  }

  update(run: RunDetail): void {
    this.run = run;
    this.draw();
  }

  close(): void {
    clearInterval(this.clock);
  }

  private tick(): void {
    if (isRunning(this.run) && !document.hidden) this.draw();
  }

  private draw(): void {
    const now = Date.now() / 1000;
    this.drawPhases(now);
    const { last_step: last, expected } = this.run.progress;
    const known = last !== null && expected !== null && expected > 0;
    this.progress.hidden = !known;
    if (known) this.progress.value = Math.min(1, last / expected);
    this.list.replaceChildren(
      ...facts(this.run, now).map(([name, value, title]) =>
        html('div', title ? { title } : {}, html('dt', {}, name), html('dd', {}, value)),
      ),
    );
  }

  private drawPhases(now: number): void {
    const spans = phaseSpans(this.run, now);
    this.bar.hidden = spans.length === 0;
    const parts = spans.map(({ name, words, start, open, share }) => {
      const part = html(
        'div',
        {
          class: `overview-phase ${name}${open ? ' open' : ''}`,
          role: 'listitem',
          title: `${words}, from ${utc(start)}`,
        },
        html('span', {}, words),
      );
      part.style.flexGrow = String(share);
      return part;
    });
    this.bar.replaceChildren(...parts);
  }
}
