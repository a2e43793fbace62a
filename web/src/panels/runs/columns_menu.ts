// The menu of columns: those that are shown, in their order, and all others by kind.

import { html } from '../../base/dom';
import { bestName } from './best_step';
import { added, movedBy } from './column_choice';
import { COLUMNS, columnOf } from './columns';
import {
  ASPECT_WORDS,
  ASPECTS,
  type Catalogue,
  fieldId,
  type FieldKind,
  fieldTitle,
} from './fields';

const MOST_LISTED = 100; // Names; the field above the list finds the others.

export class ColumnsMenu {
  readonly element: HTMLDetailsElement;
  private readonly find = html('input', {
    type: 'search',
    placeholder: 'Find a column',
    'aria-label': 'Find a column',
    autocomplete: 'off',
  });
  private readonly shownList = html('ol', { class: 'runs-shown', 'aria-label': 'Shown columns' });
  private readonly others = html('div', { class: 'runs-others' });
  private readonly best = new BestForm((id) => {
    if (!this.shown.includes(id)) this.choose(added(this.shown, id));
    this.announce(`${columnOf(id)?.title ?? id} is shown.`);
  });
  private shown: readonly string[] = [];
  private catalogue: Catalogue | null = null;
  private drawn = '';
  private dragged = '';

  constructor(
    private readonly choose: (ids: string[]) => void,
    private readonly announce: (words: string) => void,
  ) {
    this.element = html(
      'details',
      { class: 'runs-menu' },
      html('summary', { class: 'button' }, 'Columns'),
      html(
        'div',
        { class: 'runs-columns card', role: 'group', 'aria-label': 'Columns' },
        html('label', { class: 'field' }, this.find),
        this.shownList,
        this.best.element,
        this.others,
      ),
    );
    this.find.addEventListener('input', () => this.draw());
    this.element.addEventListener('toggle', () => this.draw());
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !this.element.contains(relatedTarget))
        this.element.open = false;
    });
    document.addEventListener('pointerdown', this.pressed);
  }

  close(): void {
    document.removeEventListener('pointerdown', this.pressed);
  }

  show(shown: readonly string[], catalogue: Catalogue | null): void {
    this.shown = shown;
    this.catalogue = catalogue;
    this.draw();
  }

  // A pressed button may be replaced by another list: the focus leaves without going anywhere.
  private readonly pressed = (event: PointerEvent): void => {
    if (event.target instanceof Node && !this.element.contains(event.target))
      this.element.open = false;
  };

  private key(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    this.element.open = false;
    this.element.querySelector('summary')?.focus();
  }

  private draw(): void {
    if (!this.element.open) return;
    const state = JSON.stringify([this.shown, this.find.value, this.catalogue]);
    if (state === this.drawn) return;
    this.drawn = state;
    const focused =
      document.activeElement?.closest<HTMLElement>('[data-control]')?.dataset['control'];
    this.shownList.replaceChildren(...this.shown.map((id, i) => this.shownItem(id, i)));
    this.others.replaceChildren(...this.otherGroups());
    this.best.show(this.catalogue?.scalars ?? []);
    if (focused !== undefined)
      this.element.querySelector<HTMLElement>(`[data-control="${CSS.escape(focused)}"]`)?.focus();
  }

  private shownItem(id: string, place: number): HTMLElement {
    const title = columnOf(id)?.title ?? id;
    const item = html(
      'li',
      { draggable: 'true' },
      html('span', { class: 'runs-grip', 'aria-hidden': 'true' }, '⠿'),
      this.check(id, title, true),
      this.mover(id, title, -1, place === 0),
      this.mover(id, title, 1, place === this.shown.length - 1),
    );
    item.addEventListener('dragstart', (event) => {
      this.dragged = id;
      event.dataTransfer?.setData('text/plain', id);
    });
    item.addEventListener('dragover', (event) => {
      if (this.dragged !== '') event.preventDefault();
    });
    item.addEventListener('drop', (event) => {
      event.preventDefault();
      if (this.dragged !== '')
        this.choose(movedBy(this.shown, this.dragged, place - this.shown.indexOf(this.dragged)));
      this.dragged = '';
    });
    return item;
  }

  private mover(id: string, title: string, by: number, last: boolean): HTMLElement {
    const words = by < 0 ? 'up' : 'down';
    const button = html(
      'button',
      {
        type: 'button',
        class: 'button plain small icon',
        'aria-label': `Move ${title} ${words}`,
        'aria-disabled': String(last),
        'data-control': `${words} ${id}`,
      },
      by < 0 ? '↑' : '↓',
    );
    button.addEventListener('click', () => {
      if (last) return;
      this.announce(
        `${title} is column ${this.shown.indexOf(id) + by + 1} of ${this.shown.length}.`,
      );
      this.choose(movedBy(this.shown, id, by));
    });
    return button;
  }

  private check(id: string, words: string, on: boolean, label = ''): HTMLElement {
    const box = html('input', { type: 'checkbox', 'data-control': `show ${id}` });
    if (label !== '') box.setAttribute('aria-label', label);
    box.checked = on;
    box.addEventListener('change', () =>
      this.choose(box.checked ? added(this.shown, id) : this.shown.filter((one) => one !== id)),
    );
    return html('label', { class: 'check' }, box, words);
  }

  private matches(names: readonly string[]): string[] {
    const wanted = this.find.value.trim().toLowerCase();
    return names.filter((name) => name.toLowerCase().includes(wanted));
  }

  private otherGroups(): HTMLElement[] {
    const plain = COLUMNS.filter(({ id, fixed }) => !fixed && !this.shown.includes(id));
    const found = this.matches(plain.map(({ title }) => title));
    const { params = [], tags = [], scalars = [] } = this.catalogue ?? {};
    const one = (kind: FieldKind) => (name: string) => {
      const id = fieldId({ kind, name });
      return this.shown.includes(id) ? [] : [html('li', {}, this.check(id, name, false))];
    };
    const groups = [
      this.group(
        'Hidden',
        plain.filter(({ title }) => found.includes(title)),
        ({ id, title }) => [html('li', {}, this.check(id, title, false))],
      ),
      this.group('Metrics', this.matches(scalars), (name) => this.scalarItem(name)),
      this.group('Hyperparameters', this.matches(params), one('param')),
      this.group('Tags', this.matches(tags), one('tag')),
    ].filter((group) => group !== null);
    if (groups.length > 0) return groups;
    return this.find.value === ''
      ? []
      : [html('p', { class: 'quiet' }, 'No other column matches.')];
  }

  private scalarItem(name: string): HTMLElement[] {
    const boxes = ASPECTS.map((kind) => ({ kind, id: fieldId({ kind, name }) }))
      .filter(({ id }) => !this.shown.includes(id))
      .map(({ kind, id }) => this.check(id, ASPECT_WORDS[kind], false, fieldTitle({ kind, name })));
    if (boxes.length === 0) return [];
    return [
      html(
        'li',
        { class: 'runs-scalar' },
        html('span', { class: 'clip', title: name }, name),
        html('span', { class: 'row' }, ...boxes),
      ),
    ];
  }

  private group<T>(
    title: string,
    all: readonly T[],
    make: (one: T) => HTMLElement[],
  ): HTMLElement | null {
    const items = all.slice(0, MOST_LISTED).flatMap(make);
    if (items.length === 0) return null;
    const more = all.length - MOST_LISTED;
    if (more > 0) items.push(html('li', { class: 'quiet' }, `${more} more: type to find them`));
    return html('section', {}, html('h2', {}, title), html('ul', {}, ...items));
  }
}

// A column of a metric at the step at which another one is best.
class BestForm {
  readonly element: HTMLElement;
  private readonly scalar = html('select', { 'aria-label': 'Metric', 'data-control': 'best of' });
  private readonly extreme = html(
    'select',
    { 'aria-label': 'Lowest or highest', 'data-control': 'best is' },
    html('option', { value: 'min' }, 'lowest'),
    html('option', { value: 'max' }, 'highest'),
  );
  private readonly other = html('select', {
    'aria-label': 'Metric that is best',
    'data-control': 'best at',
  });
  private names = '';

  constructor(choose: (id: string) => void) {
    const add = html(
      'button',
      { type: 'button', class: 'button small', 'data-control': 'best add' },
      'Add column',
    );
    add.addEventListener('click', () => {
      const extreme = this.extreme.value === 'max' ? 'max' : 'min';
      const name = bestName(this.scalar.value, extreme, this.other.value);
      choose(fieldId({ kind: 'at', name }));
    });
    this.element = html(
      'section',
      { class: 'runs-best' },
      html('h2', {}, 'At the best step of another metric'),
      html('div', { class: 'row' }, this.scalar, 'at', this.extreme, this.other, add),
    );
  }

  // One metric alone has nothing to be compared with.
  show(scalars: readonly string[]): void {
    this.element.hidden = scalars.length < 2;
    const names = scalars.join('\n');
    if (names === this.names) return;
    this.names = names;
    const options = (): HTMLElement[] => scalars.map((name) => html('option', {}, name));
    const chosen = [this.scalar.value, this.other.value];
    this.scalar.replaceChildren(...options());
    this.other.replaceChildren(...options());
    const loss = scalars.find((name) => /loss/i.test(name)) ?? scalars[0];
    const [scalar = '', other = ''] = chosen;
    this.scalar.value = scalars.includes(scalar)
      ? scalar
      : (scalars.find((name) => name !== loss) ?? '');
    this.other.value = scalars.includes(other) ? other : (loss ?? '');
  }
}
