// The names next to the tracks, as buttons that collapse and expand groups, and that pin tracks to
// the top. Only visible ones are on the page.

import { html } from '../../base/dom';
import type { Lane, Lanes } from './lanes';
import { many } from './model/words';

const BESIDE = 300; // Extra pixels above and below, so that Tab finds the next one.

export interface NameActions {
  fold: (key: string) => void;
  pin: (key: string) => void; // Or unpin.
}

export class TrackNames {
  private readonly pinned = html('div', { class: 'timeline-pinned' });
  private made: [number, number] = [0, 0]; // The vertical range that is rendered.

  constructor(
    private readonly into: HTMLElement,
    private readonly act: NameActions,
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
    this.pinned.replaceChildren(
      ...lanes.pinned.map((lane) => this.element(lane, lane.y - lanes.scroll)),
    );
    this.pinned.style.height = `${lanes.pinnedHeight}px`;
    this.into.replaceChildren(this.pinned, ...seen.map((lane) => this.element(lane, lane.y)));
    if (focused === undefined) return;
    for (const button of this.into.querySelectorAll('button')) {
      if (button.dataset['lane'] === focused) button.focus({ preventScroll: true });
    }
  }

  private pinButton(lane: Lane): HTMLElement {
    const words = lane.pinned ? `Unpin ${lane.title}` : `Pin ${lane.title} to the top`;
    const button = html(
      'button',
      {
        type: 'button',
        class: 'timeline-pin',
        'aria-pressed': String(lane.pinned),
        'aria-label': words,
        title: words,
        'data-lane': `pin ${lane.key}`,
      },
      lane.pinned ? '★' : '☆',
    );
    button.addEventListener('click', () => this.act.pin(lane.key));
    return button;
  }

  private element(lane: Lane, top: number): HTMLElement {
    const events = lane.tracks.reduce((sum, track) => sum + track.events, 0);
    const title = lane.tracks.length === 0 ? lane.title : `${lane.title}: ${many(events, 'event')}`;
    const words = html('span', { class: 'clip' }, lane.title);
    const row = html('div', { class: `timeline-name ${lane.kind}`, title });
    row.style.top = `${top}px`;
    row.style.height = `${lane.height}px`;
    row.style.setProperty('--level', String(lane.level));
    if (!lane.foldable) {
      row.append(html('span', { class: 'timeline-fold', 'aria-hidden': 'true' }), words);
      row.append(this.pinButton(lane));
      return row;
    }
    const button = html(
      'button',
      { type: 'button', 'aria-expanded': String(lane.open), 'data-lane': lane.key },
      html('span', { class: 'timeline-fold', 'aria-hidden': 'true' }, lane.open ? '▾' : '▸'),
      words,
    );
    if (lane.kind === 'group' && lane.tracks.length > 0) {
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
    button.addEventListener('click', () => this.act.fold(lane.key));
    row.append(button);
    if (lane.kind === 'track') row.append(this.pinButton(lane));
    return row;
  }
}
