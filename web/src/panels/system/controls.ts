// The bar above the charts: node and time range.

import { html } from '../../base/dom';
import { type Range, xText } from '../../plots/axes';
import { duration } from '../../base/format';
import type { Timeframe } from './timeframe';

export interface ControlActs {
  node: (name: string) => void;
  changed: () => void; // The time range changed.
}

const LASTS: { words: string; title: string; seconds: number | null }[] = [
  { words: 'Last minute', title: 'Follow the last minute', seconds: 60 },
  { words: '5 minutes', title: 'Follow the last 5 minutes', seconds: 300 },
  { words: 'All', title: 'Show the whole run', seconds: null },
];

export class Controls {
  readonly element = html('div', {
    class: 'system-controls',
    role: 'toolbar',
    'aria-label': 'Node and time range',
  });
  private readonly nodes = html('select', { 'aria-label': 'Node' });
  private readonly nodeField = html('label', { class: 'field inline' }, 'Node', this.nodes);
  private readonly fixed = html('input', { type: 'checkbox' });
  private readonly told = html('span', { class: 'system-told' });
  private readonly lasts: HTMLButtonElement[];

  constructor(
    private readonly frame: Timeframe,
    private readonly acts: ControlActs,
  ) {
    this.nodes.addEventListener('change', () => acts.node(this.nodes.value));
    this.fixed.addEventListener('change', () => this.act(() => frame.fix(this.fixed.checked)));
    this.lasts = LASTS.map(({ words, title, seconds }) =>
      this.button(words, title, () => frame.showLast(seconds)),
    );
    const moves = [
      this.button('←', 'Earlier', () => frame.move(1, -0.5), 'icon'),
      this.button('−', 'Zoom out', () => frame.move(2, 0), 'icon'),
      this.button('+', 'Zoom in', () => frame.move(0.5, 0), 'icon'),
      this.button('→', 'Later', () => frame.move(1, 0.5), 'icon'),
      this.button('Reset', 'Show the whole run and follow new data', () => frame.showLast(null)),
    ];
    this.element.append(
      this.nodeField,
      html(
        'div',
        { class: 'system-group', role: 'group', 'aria-label': 'Time range' },
        ...this.lasts,
      ),
      html(
        'div',
        { class: 'system-group', role: 'group', 'aria-label': 'Zoom and move' },
        ...moves,
      ),
      html(
        'label',
        { class: 'check', title: 'Keep this time range when new samples arrive' },
        this.fixed,
        'Lock time range',
      ),
      this.told,
    );
  }

  setNodes(names: string[], chosen: string): void {
    this.nodes.replaceChildren(...names.map((name) => html('option', { value: name }, name)));
    this.nodes.value = chosen;
    this.nodeField.hidden = names.length < 2;
  }

  show(): void {
    const { isFixed, lastSeconds, shown } = this.frame;
    this.fixed.checked = isFixed;
    this.lasts.forEach((button, i) => {
      const pressed = String(!isFixed && lastSeconds === LASTS[i]?.seconds);
      if (button.getAttribute('aria-pressed') !== pressed)
        button.setAttribute('aria-pressed', pressed);
    });
    this.told.textContent = shown ? this.words(shown) : '';
  }

  private words([from, to]: Range): string {
    const [start, end] = [from, to].map((time) => xText(Math.round(time), true));
    return `${start?.replace(/ UTC$/, '')} to ${end} · ${duration(Math.max(0, to - from))}`;
  }

  private act(change: () => void): void {
    change();
    this.show();
    this.acts.changed();
  }

  private button(words: string, title: string, change: () => void, kind = ''): HTMLButtonElement {
    const made = html('button', { type: 'button', class: `button small ${kind}`, title }, words);
    if (kind) made.setAttribute('aria-label', title);
    made.addEventListener('click', () => this.act(change));
    return made;
  }
}
