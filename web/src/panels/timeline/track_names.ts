// The names next to the tracks, as buttons that collapse and expand groups. Only visible ones are
// on the page.

import { html } from '../../base/dom';
import type { Lane, Lanes } from './lanes';
import { many } from './model/words';

const BESIDE = 300; // Extra pixels above and below, so that Tab finds the next one.

export class TrackNames {
  private made: [number, number] = [0, 0]; // The vertical range that is rendered.

  constructor(
    private readonly into: HTMLElement,
    private readonly fold: (key: string) => void,
  ) {}

  draw(lanes: Lanes, scroll: number, height: number, again = false): void {
    const enough =
      Math.max(0, scroll) >= this.made[0] &&
      Math.min(lanes.height, scroll + height) <= this.made[1];
    if (enough && !again) return;
    this.made = [Math.max(0, scroll - BESIDE), scroll + height + BESIDE];
    const seen = lanes.between(...this.made);
    const focused =
      document.activeElement instanceof HTMLElement
        ? document.activeElement.dataset['lane']
        : undefined;
    this.into.replaceChildren(...seen.map((lane) => this.element(lane)));
    if (focused === undefined) return;
    for (const button of this.into.querySelectorAll('button')) {
      if (button.dataset['lane'] === focused) button.focus({ preventScroll: true });
    }
  }

  private element(lane: Lane): HTMLElement {
    const events = lane.tracks.reduce((sum, track) => sum + track.events, 0);
    const title = `${lane.title}: ${many(events, 'event')}`;
    const words = html('span', { class: 'clip' }, lane.title);
    const row = html('div', { class: `timeline-name ${lane.kind}`, title });
    row.style.top = `${lane.y}px`;
    row.style.height = `${lane.height}px`;
    row.style.paddingLeft = `${6 + lane.level * 10}px`;
    if (!lane.foldable) {
      row.append(html('span', { class: 'timeline-fold', 'aria-hidden': 'true' }), words);
      return row;
    }
    const button = html(
      'button',
      { type: 'button', 'aria-expanded': String(lane.open), 'data-lane': lane.key },
      html('span', { class: 'timeline-fold', 'aria-hidden': 'true' }, lane.open ? '▾' : '▸'),
      words,
    );
    if (lane.kind === 'group') {
      const tracks = lane.tracks.length;
      button.append(
        html(
          'span',
          { class: 'timeline-count' },
          html('span', { class: 'unseen' }, ', '),
          String(tracks),
          html('span', { class: 'unseen' }, tracks === 1 ? ' track' : ' tracks'),
        ),
      );
    }
    button.addEventListener('click', () => this.fold(lane.key));
    row.append(button);
    return row;
  }
}
