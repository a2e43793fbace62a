// The toolbar above the timeline.

import { html } from '../../base/dom';
import { FILTER_HELP } from './model/span_filter';

export interface ToolbarActions {
  search: (words: string) => void;
  hit: (by: 1 | -1) => void;
  leave: () => void; // Escape in the search field: back to the timeline.
  zoom: (factor: number) => void;
  all: () => void;
  arrows: (on: boolean) => void;
  perfetto: () => void;
  help: () => void;
}

function button(words: string, label: string, act: () => void, kind = ''): HTMLButtonElement {
  const made = html(
    'button',
    { type: 'button', class: `button ${kind}`.trim(), 'aria-label': label, title: label },
    words,
  );
  made.addEventListener('click', act);
  return made;
}

export class Toolbar {
  readonly element: HTMLElement;
  private readonly field = html('input', {
    type: 'search',
    placeholder: 'Search or filter events  (/)',
    title: FILTER_HELP,
    'aria-label': 'Search events',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  private readonly found = html('span', { class: 'timeline-found number', role: 'status' });
  private readonly arrows: HTMLButtonElement;
  private timer = 0;

  constructor(private readonly act: ToolbarActions) {
    this.arrows = button('Arrows', 'Show arrows from launches to the GPU work they started', () => {
      const on = this.arrows.getAttribute('aria-pressed') !== 'true';
      this.setArrows(on);
      act.arrows(on);
    });
    const zoom = html(
      'div',
      { class: 'timeline-zoom', role: 'group', 'aria-label': 'Zoom' },
      button('−', 'Zoom out (s)', () => act.zoom(2), 'icon'),
      button('+', 'Zoom in (w)', () => act.zoom(0.5), 'icon'),
      button('All', 'Show everything (Home)', () => act.all()),
    );
    const search = html(
      'div',
      { class: 'timeline-search field' },
      this.field,
      button('‹', 'Previous match (N)', () => act.hit(-1), 'icon'),
      button('›', 'Next match (n)', () => act.hit(1), 'icon'),
      this.found,
    );
    const perfetto = button('Open in Perfetto', 'Open in Perfetto', () => act.perfetto());
    const help = button('?', 'Keyboard shortcuts (?)', () => act.help(), 'icon');
    help.dataset['keys'] = ''; // Not useful on a phone.
    this.element = html(
      'div',
      { class: 'timeline-tools row' },
      search,
      zoom,
      this.arrows,
      html('span', { class: 'spacer' }),
      perfetto,
      help,
    );
    this.field.addEventListener('input', () => this.typed());
    this.field.addEventListener('keydown', (event) => this.key(event));
  }

  set words(words: string) {
    if (this.field.value !== words) this.field.value = words;
  }

  focus(): void {
    this.field.focus();
    this.field.select();
  }

  setFound(total: number | null): void {
    this.found.textContent = total === null ? '' : `${total.toLocaleString('en')} found`;
  }

  setArrows(on: boolean): void {
    this.arrows.setAttribute('aria-pressed', String(on));
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private typed(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.act.search(this.field.value.trim()), 250);
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.act.leave();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    clearTimeout(this.timer);
    this.act.search(this.field.value.trim());
    this.act.hit(event.shiftKey ? -1 : 1);
  }
}
