// Announces events: to screen readers, and for a while in a corner of the page.

import { html } from '../base/dom';

const SHOWN_MS = 7000;
const MOST_SHOWN = 3;

export class Announcer {
  private readonly polite = html('div', { class: 'unseen', 'aria-live': 'polite', role: 'status' });
  private readonly corner = html('div', { class: 'corner', 'aria-hidden': 'true' });

  constructor(into: HTMLElement) {
    into.append(this.polite, this.corner);
  }

  announce(words: string, tone: 'plain' | 'warning' = 'plain'): void {
    // A new element, so that screen readers repeat identical messages.
    this.polite.replaceChildren(html('p', {}, words));
    const note = html('p', { class: `note ${tone}` }, words);
    note.addEventListener('click', () => note.remove());
    this.corner.append(note);
    while (this.corner.childElementCount > MOST_SHOWN) this.corner.firstElementChild?.remove();
    setTimeout(() => note.remove(), SHOWN_MS);
  }
}
