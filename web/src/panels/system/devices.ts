// Choosing single cores or GPUs to show next to the mean.

import { html } from '../../base/dom';

// Series per request, minus some room for the means.
const MOST = 56;

export class DeviceChoice {
  readonly element: HTMLDetailsElement;
  private readonly summary = html('summary');
  private readonly list = html('div', { class: 'system-devices' });
  private names: string[] = [];
  private shown = '';
  private chosen = new Set<string>();

  // what: 'cores' or 'GPUs'.
  constructor(
    private readonly what: string,
    private readonly changed: (chosen: string[]) => void,
  ) {
    this.element = html('details', { class: 'system-choice' }, this.summary, this.list);
  }

  set(names: string[], chosen: readonly string[]): void {
    const key = JSON.stringify([names, chosen]);
    if (key === this.shown) return; // Rebuilding it would lose the focus.
    this.shown = key;
    this.names = names;
    this.chosen = new Set(chosen.filter((name) => names.includes(name)).slice(0, MOST));
    this.element.hidden = names.length < 2;
    const pick = (words: string, some: () => string[]): HTMLButtonElement => {
      const button = html('button', { type: 'button', class: 'button small' }, words);
      button.addEventListener('click', () => this.choose(some()));
      return button;
    };
    const all = pick(names.length > MOST ? `First ${MOST}` : 'All', () =>
      this.names.slice(0, MOST),
    );
    this.list.replaceChildren(
      pick('Only the mean', () => []),
      all,
      ...names.map((name) => this.box(name)),
    );
    this.words();
  }

  private box(name: string): HTMLElement {
    const input = html('input', { type: 'checkbox', value: name });
    input.checked = this.chosen.has(name);
    input.addEventListener('change', () => {
      const next = input.checked
        ? [...this.chosen, name]
        : [...this.chosen].filter((other) => other !== name);
      // In the order of the machine, not of the clicks.
      this.choose(this.names.filter((one) => next.includes(one)).slice(0, MOST));
    });
    return html('label', { class: 'check' }, input, name);
  }

  private choose(chosen: string[]): void {
    this.chosen = new Set(chosen);
    this.shown = JSON.stringify([this.names, chosen]);
    for (const input of this.list.querySelectorAll('input'))
      input.checked = this.chosen.has(input.value);
    this.words();
    this.changed(chosen);
  }

  private words(): void {
    const count = this.chosen.size;
    this.summary.textContent = `Mean ${count === 0 ? '' : `and ${count} `}of ${this.names.length} ${this.what}`;
  }
}
