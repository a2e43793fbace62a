// Fields and buttons with their labels.

import './common.css';

import { html } from '../../base/dom';

export interface Option {
  value: string;
  label: string;
  group?: string;
}

function optionNodes(options: readonly Option[]): HTMLElement[] {
  const groups = new Map<string, HTMLOptGroupElement>();
  const nodes = new Set<HTMLElement>();
  for (const { value, label, group } of options) {
    const option = html('option', { value }, label);
    if (group === undefined) {
      nodes.add(option);
      continue;
    }
    const box = groups.get(group) ?? html('optgroup', { label: group });
    groups.set(group, box);
    box.append(option);
    nodes.add(box);
  }
  return [...nodes];
}

export class Choice {
  readonly element: HTMLLabelElement;
  private readonly select = html('select');
  private shown = '';

  constructor(label: string, onChange: (value: string) => void) {
    this.element = html('label', { class: 'field' }, html('span', {}, label), this.select);
    this.select.addEventListener('change', () => onChange(this.select.value));
  }

  // A value that is not an option is added as one, so the URL and the field agree.
  set(options: readonly Option[], value: string): void {
    const all = options.some((option) => option.value === value)
      ? options
      : [...options, { value, label: value || '–' }];
    const key = JSON.stringify(all);
    if (key !== this.shown) this.select.replaceChildren(...optionNodes(all));
    this.shown = key;
    this.select.value = value;
  }

  get value(): string {
    return this.select.value;
  }

  show(shown: boolean): void {
    this.element.hidden = !shown;
  }
}

export const plainOptions = (values: readonly string[]): Option[] =>
  values.map((value) => ({ value, label: value }));

export function button(
  words: string,
  act: () => void,
  attributes: Record<string, string> = {},
): HTMLButtonElement {
  const made = html('button', { type: 'button', class: 'button', ...attributes }, words);
  made.addEventListener('click', act);
  return made;
}

// Buttons of which one is pressed (or any number, with `several`).
export class Pills {
  readonly element: HTMLElement;
  private readonly buttons = new Map<string, HTMLButtonElement>();

  constructor(
    label: string,
    private readonly pick: (value: string) => void,
  ) {
    this.element = html('div', { class: 'common-pills', role: 'group', 'aria-label': label });
  }

  set(options: readonly (Option & { title?: string })[], pressed: readonly string[]): void {
    const same =
      options.length === this.buttons.size && options.every(({ value }) => this.buttons.has(value));
    const focused = [...this.buttons].findIndex(([, one]) => one === document.activeElement);
    if (!same) this.make(options);
    // The pressed button may be gone; the focus stays in place.
    if (!same && focused >= 0)
      [...this.buttons.values()][Math.min(focused, this.buttons.size - 1)]?.focus();
    for (const [value, one] of this.buttons)
      one.setAttribute('aria-pressed', String(pressed.includes(value)));
  }

  private make(options: readonly (Option & { title?: string })[]): void {
    this.buttons.clear();
    for (const { value, label, title } of options) {
      const one = html(
        'button',
        { type: 'button', class: 'common-pill', title: title ?? '' },
        label,
      );
      one.addEventListener('click', () => this.pick(value));
      this.buttons.set(value, one);
    }
    this.element.replaceChildren(...this.buttons.values());
  }
}

// Tabs with the keys of the ARIA tabs pattern: arrows, Home and End.
export class Tabs {
  readonly element: HTMLElement;
  private readonly tabs: HTMLButtonElement[];

  constructor(
    label: string,
    private readonly options: readonly Option[],
    panel: HTMLElement,
    private readonly pick: (value: string) => void,
  ) {
    const name = `${panel.id}-tab`;
    this.tabs = options.map(({ value, label: words }) => {
      const tab = html(
        'button',
        { type: 'button', role: 'tab', id: `${name}-${value}`, 'aria-controls': panel.id },
        words,
      );
      tab.addEventListener('click', () => pick(value));
      return tab;
    });
    this.element = html(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': label },
      ...this.tabs,
    );
    this.element.addEventListener('keydown', (event) => this.move(event));
  }

  set(value: string): string {
    let id = '';
    this.tabs.forEach((tab, i) => {
      const chosen = this.options[i]?.value === value;
      tab.setAttribute('aria-selected', String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen) id = tab.id;
    });
    return id;
  }

  private move(event: KeyboardEvent): void {
    const now = this.tabs.findIndex((tab) => tab.tabIndex === 0);
    const last = this.tabs.length - 1;
    const to = {
      ArrowLeft: now === 0 ? last : now - 1,
      ArrowRight: now === last ? 0 : now + 1,
      Home: 0,
      End: last,
    }[event.key];
    const option = to === undefined ? undefined : this.options[to];
    if (to === undefined || !option) return;
    event.preventDefault();
    this.pick(option.value);
    this.tabs[to]?.focus();
  }
}
