// The tabs below the timeline.

import { html } from '../../../base/dom';

export type Tab =
  'selection' | 'connections' | 'statistics' | 'flame' | 'path' | 'search' | 'events' | 'marks';

const TITLES: Record<Tab, string> = {
  selection: 'Selection',
  connections: 'Connections',
  statistics: 'Statistics',
  flame: 'Flame graph',
  path: 'Critical path',
  search: 'Search',
  events: 'Visible events',
  marks: 'Marks',
};
const TABS = Object.keys(TITLES) as Tab[];

export const tabOf = (text: string): Tab => TABS.find((tab) => tab === text) ?? 'selection';

export class Panes {
  readonly element: HTMLElement;
  current: Tab = 'selection';
  private readonly buttons = new Map<Tab, HTMLButtonElement>();
  private readonly counts = new Map<Tab, HTMLElement>();
  private readonly bodies = new Map<Tab, HTMLElement>();

  // `shown` is called when another tab is chosen.
  constructor(private readonly shown: (tab: Tab) => void) {
    const list = html('div', {
      class: 'tabs',
      role: 'tablist',
      'aria-label': 'About the timeline',
    });
    this.element = html('section', { class: 'timeline-panes', 'aria-label': 'Details' }, list);
    for (const tab of TABS) {
      const count = html('span', { class: 'timeline-count' });
      const button = html(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `timeline-tab-${tab}`,
          'aria-controls': `timeline-pane-${tab}`,
        },
        TITLES[tab],
        ' ',
        count,
      );
      button.addEventListener('click', () => this.choose(tab));
      // Focusable, so the keyboard can scroll it.
      const body = html('div', {
        role: 'tabpanel',
        id: `timeline-pane-${tab}`,
        'aria-labelledby': `timeline-tab-${tab}`,
        tabindex: 0,
        class: 'timeline-pane',
      });
      this.buttons.set(tab, button);
      this.counts.set(tab, count);
      this.bodies.set(tab, body);
      list.append(button);
      this.element.append(body);
    }
    list.addEventListener('keydown', (event) => this.byKeyboard(event));
    this.show('selection');
  }

  body(tab: Tab): HTMLElement {
    return this.bodies.get(tab) ?? this.element;
  }

  setCount(tab: Tab, count: number | null): void {
    const into = this.counts.get(tab);
    if (into) into.textContent = count === null ? '' : count.toLocaleString('en');
  }

  // Without calling `shown`.
  show(tab: Tab): void {
    this.current = tab;
    this.element.classList.toggle('tall', tab === 'flame' || tab === 'path');
    for (const one of TABS) {
      this.buttons.get(one)?.setAttribute('aria-selected', String(one === tab));
      this.buttons.get(one)?.setAttribute('tabindex', one === tab ? '0' : '-1');
      this.body(one).hidden = one !== tab;
    }
  }

  private choose(tab: Tab): void {
    this.show(tab);
    this.shown(tab);
  }

  private byKeyboard(event: KeyboardEvent): void {
    const at = TABS.indexOf(this.current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = TABS[(to + TABS.length) % TABS.length] ?? 'selection';
    this.choose(tab);
    this.buttons.get(tab)?.focus();
  }
}
