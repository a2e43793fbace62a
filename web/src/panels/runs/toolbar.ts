// Above the list: search, quick filters, column menu, compare.

import { counted } from '../../api/words';
import { html } from '../../base/dom';
import { COLUMNS } from './columns';
import { wordsOf } from './search';

export interface ToolbarActions {
  search: (text: string) => void;
  removeTag: (tag: string) => void;
  showColumns: (ids: string[]) => void;
  compare: () => void;
  clearSelection: () => void;
  enterList: () => void; // Arrow down in the search field.
}

const QUICK = [
  { words: 'Running', term: 'status:running' },
  { words: 'Failed', term: 'status:failed' },
  { words: 'With findings', term: 'has:findings' },
  { words: 'Not evaluated', term: 'has:unevaluated' },
];

export class Toolbar {
  readonly element: HTMLElement;
  readonly search = html('input', {
    type: 'search',
    placeholder: 'Name, tag, lr=0.1, epochs>5, status:failed …',
    'aria-label': 'Search runs',
    'aria-keyshortcuts': '/',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  private readonly quick = new Map<string, HTMLButtonElement>();
  private readonly tags = html('span', { class: 'row' });
  private readonly count = html('span', { class: 'quiet number', role: 'status' });
  private readonly boxes = new Map<string, HTMLInputElement>();
  private readonly compare = html('button', { type: 'button', class: 'button primary' });
  private readonly clear = html(
    'button',
    { type: 'button', class: 'button plain' },
    'Clear selection',
  );

  constructor(private readonly actions: ToolbarActions) {
    this.search.addEventListener('input', () => actions.search(this.search.value));
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') {
        event.preventDefault();
        actions.enterList();
      }
    });
    this.compare.addEventListener('click', () => actions.compare());
    this.clear.addEventListener('click', () => actions.clearSelection());
    const filters = html(
      'div',
      { class: 'row', role: 'group', 'aria-label': 'Quick filters' },
      ...QUICK.map((one) => this.quickButton(one)),
    );
    this.element = html(
      'div',
      { class: 'runs-toolbar' },
      html(
        'div',
        { class: 'row' },
        html('label', { class: 'field runs-search' }, this.search),
        filters,
      ),
      html(
        'div',
        { class: 'row' },
        this.count,
        this.tags,
        html('span', { class: 'spacer' }),
        this.clear,
        this.compare,
        this.columnsMenu(),
      ),
    );
  }

  show(state: {
    search: string;
    tags: string[];
    columns: string[];
    shown: number;
    total: number;
    selected: number;
  }): void {
    if (this.search.value !== state.search) this.search.value = state.search;
    const words = wordsOf(state.search);
    for (const [term, button] of this.quick)
      button.setAttribute('aria-pressed', String(words.includes(term)));
    const all = counted(state.total, 'run');
    const said =
      state.shown === state.total ? all : `${state.shown.toLocaleString('en')} of ${all}`;
    if (this.count.textContent !== said) this.count.textContent = said;
    this.tags.replaceChildren(...state.tags.map((tag) => this.tagFilter(tag)));
    for (const [id, box] of this.boxes) box.checked = state.columns.includes(id);
    this.clear.hidden = state.selected === 0;
    this.compare.hidden = state.selected === 0;
    this.compare.disabled = state.selected < 2;
    this.compare.textContent =
      state.selected < 2 ? 'Select another to compare' : `Compare ${state.selected} runs`;
  }

  private quickButton({ words, term }: { words: string; term: string }): HTMLElement {
    const button = html(
      'button',
      { type: 'button', class: 'button small', 'aria-pressed': 'false' },
      words,
    );
    button.addEventListener('click', () => {
      const others = wordsOf(this.search.value).filter((word) => word !== term);
      const quoted = others.map((word) => (/\s/.test(word) ? `"${word}"` : word));
      if (button.getAttribute('aria-pressed') !== 'true') quoted.push(term);
      this.actions.search(quoted.join(' '));
    });
    this.quick.set(term, button);
    return button;
  }

  private tagFilter(tag: string): HTMLElement {
    const button = html(
      'button',
      { type: 'button', class: 'button small', 'aria-label': `Remove the filter ${tag}` },
      `${tag} ×`,
    );
    button.addEventListener('click', () => this.actions.removeTag(tag));
    return button;
  }

  private columnsMenu(): HTMLElement {
    const list = html('div', {
      class: 'runs-columns card',
      role: 'group',
      'aria-label': 'Columns',
    });
    for (const { id, title, fixed } of COLUMNS) {
      if (fixed) continue;
      const box = html('input', { type: 'checkbox' });
      box.addEventListener('change', () => {
        this.actions.showColumns(
          [...this.boxes].filter(([, one]) => one.checked).map(([name]) => name),
        );
      });
      this.boxes.set(id, box);
      list.append(html('label', { class: 'check' }, box, title));
    }
    const menu = html(
      'details',
      { class: 'runs-menu' },
      html('summary', { class: 'button' }, 'Columns'),
      list,
    );
    menu.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') menu.open = false;
    });
    menu.addEventListener('focusout', (event) => {
      if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget))
        menu.open = false;
    });
    return menu;
  }
}
