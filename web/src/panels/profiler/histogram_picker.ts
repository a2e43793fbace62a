// Shows the histograms that the reader chooses: of annotations and passes.

import { html } from '../../base/dom';
import { nameMeant, shownNames } from './chosen_names';

export interface Pick {
  chosen: readonly string[] | null; // Null: the first ones.
  picked: (chosen: string[], words: string) => void;
}

interface Named {
  name: string;
  figure: HTMLElement;
}

export class HistogramPicker {
  readonly element = html('div', { class: 'profiler-picker' });
  private readonly field = html('input', {
    list: 'profiler-histograms',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Name of an annotation or pass',
  });
  private readonly list = html('datalist', { id: 'profiler-histograms' });
  private readonly problem = html('p', { class: 'quiet', role: 'status' });
  private readonly place = html('div', { class: 'charts' });
  private shown: string[];

  constructor(
    private readonly all: readonly Named[],
    private readonly pick: Pick,
  ) {
    this.shown = shownNames(this.names, pick.chosen);
    const form = html(
      'form',
      { class: 'row' },
      html('label', { class: 'field inline' }, 'New histogram', this.field),
      html('button', { type: 'submit', class: 'button small' }, 'Add'),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.add();
    });
    for (const { name, figure } of all) {
      const remove = html(
        'button',
        { type: 'button', class: 'button small', 'aria-label': `Remove the histogram of ${name}` },
        'Remove',
      );
      remove.addEventListener('click', () => this.remove(name));
      figure.querySelector('figcaption')?.append(' ', remove);
    }
    this.element.append(form, this.list, this.problem, this.place);
    this.draw();
  }

  private get names(): string[] {
    return this.all.map(({ name }) => name);
  }

  private add(): void {
    const name = nameMeant(this.field.value, this.names);
    if (name === null || this.shown.includes(name)) {
      this.problem.textContent =
        name === null
          ? `No annotation or pass “${this.field.value.trim()}”. Expected one of: ${this.names.join(', ')}.`
          : `${name} is already shown.`;
      return;
    }
    this.field.value = '';
    this.change([...this.shown, name], `Histogram of ${name} added`);
  }

  private remove(name: string): void {
    this.change(
      this.shown.filter((one) => one !== name),
      `Histogram of ${name} removed`,
    );
    this.field.focus();
  }

  private change(shown: string[], words: string): void {
    this.shown = shown;
    this.draw();
    this.pick.picked(shown, words);
  }

  // All of them stay on the page: a hidden one is drawn to the right size when it is shown.
  private draw(): void {
    const figures = new Map(this.all.map(({ name, figure }) => [name, figure]));
    for (const [name, figure] of figures) figure.hidden = !this.shown.includes(name);
    const order = [...this.shown, ...this.names.filter((name) => !this.shown.includes(name))];
    for (const name of order) this.place.append(figures.get(name) ?? '');
    this.list.replaceChildren(
      ...this.names
        .filter((name) => !this.shown.includes(name))
        .map((name) => html('option', { value: name })),
    );
    this.problem.textContent = '';
  }
}
