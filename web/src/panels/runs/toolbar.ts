// Above the list: filter, quick filters, grouping, column menu, compare.

import { counted } from '../../api/words';
import { html } from '../../base/dom';
import { Choice, type Option } from '../common/fields';
import { ColumnsMenu } from './columns_menu';
import { type Catalogue, fieldId } from './fields';
import { type FilterProblem, piecesOf } from './filter';
import type { PlotKind } from './plot_choice';

export interface ToolbarActions {
  filter: (text: string) => void;
  groupBy: (by: string) => void;
  showColumns: (ids: string[]) => void;
  compare: () => void;
  clearSelection: () => void;
  edit: () => void; // The selected runs.
  enterList: () => void; // Arrow down in the filter field.
  announce: (words: string) => void;
  plot: (kind: PlotKind) => void;
}

export interface ToolbarState {
  filter: string;
  problems: readonly FilterProblem[];
  group: string;
  groups: number | null; // Null: not grouped.
  columns: readonly string[];
  plot: PlotKind;
  catalogue: Catalogue | null;
  shown: number;
  total: number;
  whole: boolean; // All runs are there; otherwise the newest.
  selected: number;
  writable: boolean;
  archived: number; // Of all runs.
  baselines: number;
}

const BASELINES = 'is:baseline';
const ARCHIVED = 'is:archived';
const QUICK = [
  { words: 'Running', term: 'status:running' },
  { words: 'Failed', term: 'status:failed' },
  { words: 'With findings', term: 'has:findings' },
  { words: 'Not evaluated', term: 'has:unevaluated' },
  { words: 'Baselines', term: BASELINES },
  { words: 'Archived', term: ARCHIVED },
];
const PLOTS: Option[] = [
  { value: '', label: 'none' },
  { value: 'parallel', label: 'parallel coordinates' },
  { value: 'scatter', label: 'scatter' },
];
const PROBLEMS_ID = 'runs-problems';

export class Toolbar {
  readonly element: HTMLElement;
  readonly filter = html('input', {
    type: 'search',
    placeholder: 'lr>1e-3 tag:baseline status:failed name~regex "words"',
    'aria-label': 'Search runs',
    'aria-keyshortcuts': '/',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  private readonly problems = html('ul', { id: PROBLEMS_ID, class: 'runs-problems' });
  private readonly quick = new Map<string, HTMLButtonElement>();
  private readonly count = html('span', { class: 'quiet number', role: 'status' });
  private readonly columns: ColumnsMenu;
  private readonly group: Choice;
  private readonly plot: Choice;
  private readonly compare = html('button', { type: 'button', class: 'button primary' });
  private readonly clear = html(
    'button',
    { type: 'button', class: 'button plain' },
    'Clear selection',
  );

  private readonly edit = html('button', { type: 'button', class: 'button' });

  constructor(private readonly actions: ToolbarActions) {
    this.edit.addEventListener('click', () => actions.edit());
    this.filter.addEventListener('input', () => actions.filter(this.filter.value));
    this.filter.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') {
        event.preventDefault();
        actions.enterList();
      }
    });
    this.compare.addEventListener('click', () => actions.compare());
    this.clear.addEventListener('click', () => actions.clearSelection());
    this.columns = new ColumnsMenu(actions.showColumns, actions.announce);
    this.group = new Choice('Group by', (by) => actions.groupBy(by));
    this.group.element.classList.add('inline');
    this.plot = new Choice('Plot', (kind) => actions.plot(kind as PlotKind));
    this.plot.element.classList.add('inline');
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
        html('label', { class: 'field runs-search' }, this.filter),
        filters,
      ),
      html('div', { role: 'status' }, this.problems),
      html(
        'div',
        { class: 'row' },
        this.count,
        html('span', { class: 'spacer' }),
        this.clear,
        this.edit,
        this.compare,
        this.plot.element,
        this.group.element,
        this.columns.element,
      ),
    );
  }

  close(): void {
    this.columns.close();
  }

  show(state: ToolbarState): void {
    if (this.filter.value !== state.filter) this.filter.value = state.filter;
    const pieces = piecesOf(state.filter);
    for (const [term, button] of this.quick)
      button.setAttribute('aria-pressed', String(pieces.includes(term)));
    this.showProblems(state.problems);
    const said = countWords(state);
    if (this.count.textContent !== said) this.count.textContent = said;
    this.columns.show(state.columns, state.catalogue);
    this.group.set(groupOptions(state.catalogue), state.group);
    this.plot.set(PLOTS, state.plot);
    this.showQuick(BASELINES, state.baselines > 0);
    this.showQuick(ARCHIVED, state.archived > 0);
    this.edit.hidden = state.selected === 0 || !state.writable;
    this.edit.textContent = `Edit ${counted(state.selected, 'run')}`;
    this.clear.hidden = state.selected === 0;
    this.compare.hidden = state.selected === 0;
    this.compare.disabled = state.selected < 2;
    this.compare.textContent =
      state.selected < 2 ? 'Select another to compare' : `Compare ${state.selected} runs`;
  }

  // One that is pressed stays, so that it can be released.
  private showQuick(term: string, shown: boolean): void {
    const button = this.quick.get(term);
    if (button) button.hidden = !shown && button.getAttribute('aria-pressed') !== 'true';
  }

  private showProblems(problems: readonly FilterProblem[]): void {
    const lines = problems.map(({ piece, words }) =>
      html('li', { class: 'bad' }, html('code', {}, piece), ` is ignored: ${words}`),
    );
    if (this.problems.textContent !== lines.map((line) => line.textContent).join(''))
      this.problems.replaceChildren(...lines);
    this.problems.hidden = lines.length === 0;
    if (lines.length > 0) {
      this.filter.setAttribute('aria-invalid', 'true');
      this.filter.setAttribute('aria-describedby', PROBLEMS_ID);
    } else {
      this.filter.removeAttribute('aria-invalid');
      this.filter.removeAttribute('aria-describedby');
    }
  }

  private quickButton({ words, term }: { words: string; term: string }): HTMLElement {
    const button = html(
      'button',
      { type: 'button', class: 'button small', 'aria-pressed': 'false' },
      words,
    );
    button.addEventListener('click', () => {
      const pieces = piecesOf(this.filter.value).filter((piece) => piece !== term);
      if (button.getAttribute('aria-pressed') !== 'true') pieces.push(term);
      this.actions.filter(pieces.join(' '));
    });
    this.quick.set(term, button);
    return button;
  }
}

function countWords({ shown, total, groups, whole }: ToolbarState): string {
  if (!whole && shown === 0) return 'Loading all runs …';
  if (!whole) return `The newest ${counted(shown, 'run')}; loading all …`;
  const all = counted(total, 'run');
  const runs = shown === total ? all : `${shown.toLocaleString('en')} of ${all}`;
  return groups === null ? runs : `${runs} in ${counted(groups, 'group')}`;
}

function groupOptions(catalogue: Catalogue | null): Option[] {
  const { params = [], tags = [] } = catalogue ?? {};
  return [
    { value: '', label: 'nothing' },
    { value: 'tags', label: 'all tags' },
    ...params.map((name) => ({
      value: fieldId({ kind: 'param' as const, name }),
      label: name,
      group: 'Hyperparameters',
    })),
    ...tags.map((name) => ({
      value: fieldId({ kind: 'tag' as const, name }),
      label: name,
      group: 'Tags',
    })),
  ];
}
