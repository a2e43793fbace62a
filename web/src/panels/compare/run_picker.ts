// A field that finds a run to add: with a list of the first that match, as thousands of options would
// take seconds to show.

import type { RunId, RunSummary } from '../../api/types';
import { html } from '../../base/dom';
import { choiceMeant, choicesOf, offered, type RunChoice } from './run_choice';

export class RunPicker {
  readonly element = html('form', { class: 'compare-add' });
  private readonly field = html('input', {
    list: 'compare-choices',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Name of a run',
  });
  private readonly list = html('datalist', { id: 'compare-choices' });
  private readonly problem = html('p', { class: 'common-note', role: 'status' });
  private runs: readonly RunSummary[] = [];
  private known: RunChoice[] | null = null; // Null: not made yet of these runs.

  constructor(private readonly pick: (run: RunId) => void) {
    this.element.append(
      html('label', { class: 'field inline' }, 'Add a run', this.field),
      html('button', { type: 'submit', class: 'button small' }, 'Add'),
      this.list,
      this.problem,
    );
    this.field.addEventListener('focus', () => this.offer());
    this.field.addEventListener('input', (event) => this.typed(event));
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.add();
    });
  }

  // others: the runs that can be added.
  show(others: readonly RunSummary[]): void {
    this.runs = others;
    this.known = null;
    this.element.hidden = others.length === 0;
    if (this.field === document.activeElement) this.offer();
  }

  private get choices(): RunChoice[] {
    return (this.known ??= choicesOf(this.runs));
  }

  private offer(): void {
    this.list.replaceChildren(
      ...offered(this.choices, this.field.value).map(({ label }) =>
        html('option', { value: label }),
      ),
    );
  }

  // A choice from the list needs no button: Firefox tells it by its type, Chromium by a plain event.
  private typed(event: Event): void {
    this.problem.textContent = '';
    const chosen = !(event instanceof InputEvent) || event.inputType === 'insertReplacementText';
    const whole = this.choices.some(({ label }) => label === this.field.value);
    if (chosen && whole) this.add();
    else this.offer();
  }

  private add(): void {
    const meant = choiceMeant(this.choices, this.field.value);
    this.problem.textContent = typeof meant === 'string' ? meant : '';
    if (typeof meant === 'string') return;
    this.field.value = '';
    this.pick(meant.id);
  }
}
