// The table of runs: sortable header, rows of runs and of groups of runs.

import type { RunSummary } from '../../api/types';
import { counted } from '../../api/words';
import { html } from '../../base/dom';
import { shownName } from '../common/run_names';
import { spreadOf } from '../common/spread';
import type { Column } from './columns';
import type { ListedRun } from './fields';
import type { Group } from './groups';

export type TableRow = { run: ListedRun; group: string | null } | { group: Group; open: boolean };

export interface TableActions {
  sort: (sort: string) => void;
  move: (id: string, to: string) => void; // To the place of another column.
  moveBy: (id: string, by: number) => void;
  filterTag: (tag: string) => void;
  editor: () => ((run: RunSummary) => void) | null; // Null: nothing can be changed.
  select: (runs: readonly RunSummary[], on: boolean) => void;
  isSelected: (run: RunSummary) => boolean;
  openGroup: (group: Group, open: boolean) => void;
}

export interface TableState {
  columns: readonly Column[]; // The name first.
  sort: string; // As in the URL.
  now: number;
  rows: number;
  chosen: boolean; // Columns were chosen: none of them is left out on narrow screens.
}

const REM = 16;
const SELECT_WIDTH = 2.6;
const MOVES = 'Shift+ArrowLeft Shift+ArrowRight'; // On a heading.
const addressOf = (run: RunSummary): string => `#/run/${encodeURIComponent(run.id)}/overview`;
const classOf = (column: Column): string => `runs-c-${column.field ? 'field' : column.id}`;

export const rowKey = (row: TableRow): string =>
  'run' in row ? `run ${row.run.id}` : `group ${row.group.key}`;

export const rowKeyOf = ({ dataset }: HTMLElement): string =>
  dataset['run'] === undefined ? `group ${dataset['group']}` : `run ${dataset['run']}`;

export class RunsTable {
  readonly body = html('tbody');
  readonly head = html('thead');
  readonly element: HTMLElement;
  private readonly grid: HTMLTableElement;
  private readonly widths = html('colgroup');
  private readonly all = html('input', { type: 'checkbox', 'aria-label': 'Select all shown runs' });
  private readonly resized = new ResizeObserver(() => this.fit());
  private columns: readonly Column[] = [];
  private heading = '';
  private now = 0;
  private dragged = '';

  constructor(
    private readonly actions: TableActions,
    selectAll: (on: boolean) => void,
  ) {
    this.all.addEventListener('change', () => selectAll(this.all.checked));
    this.grid = html(
      'table',
      { class: 'runs-table', 'aria-label': 'Runs' },
      this.widths,
      this.head,
      this.body,
    );
    this.element = html('div', { class: 'runs-list card' }, this.grid);
    this.resized.observe(this.element);
  }

  close(): void {
    this.resized.disconnect();
  }

  show(state: TableState): void {
    this.columns = state.columns;
    this.now = state.now;
    this.grid.setAttribute('aria-rowcount', String(state.rows + 1));
    this.grid.classList.toggle('chosen', state.chosen);
    const heading = `${this.columns.map(({ id }) => id).join()} ${state.sort}`;
    // Rebuilding the header would take the focus from the button that was just pressed.
    if (heading !== this.heading) this.makeHead(state.sort);
    this.heading = heading;
    this.fit();
  }

  // The box that scrolls; null: the page does.
  scroller(): HTMLElement | null {
    return this.element.classList.contains('wide') ? this.element : null;
  }

  // selected, shown: numbers of runs. whole: all runs are there, so that all can be selected.
  showSelected(selected: number, shown: number, whole: boolean): void {
    this.all.disabled = !whole;
    this.all.checked = shown > 0 && selected === shown;
    this.all.indeterminate = selected > 0 && selected < shown;
  }

  row(item: TableRow, index: number): HTMLTableRowElement {
    return 'run' in item ? this.runRow(item.run, item.group, index) : this.groupRow(item, index);
  }

  // Scrolls sideways within itself where the columns are wider than the page.
  private fit(): void {
    const rem = this.columns.reduce((sum, { width }) => sum + width, SELECT_WIDTH);
    const wide = this.grid.classList.contains('chosen') && rem * REM > this.element.clientWidth;
    this.element.classList.toggle('wide', wide);
    this.grid.style.minWidth = wide ? `${rem}rem` : '';
  }

  private makeHead(sort: string): void {
    const pressed = document.activeElement?.closest<HTMLElement>('th')?.dataset['column'];
    this.widths.replaceChildren(
      html('col', { class: 'runs-c-select' }),
      ...this.columns.map((column) => html('col', { class: classOf(column) })),
    );
    const cells = this.columns.map((column) => this.headCell(column, sort));
    this.head.replaceChildren(
      html(
        'tr',
        { 'aria-rowindex': 1 },
        html('th', { scope: 'col', class: 'runs-c-select' }, this.all),
        ...cells,
      ),
    );
    if (pressed === undefined) return;
    const cell = cells.find(({ dataset }) => dataset['column'] === pressed);
    (cell?.querySelector('button') ?? cell)?.focus();
  }

  private box(label: string, runs: readonly ListedRun[], row: HTMLElement): HTMLElement {
    const box = html('input', { type: 'checkbox', 'aria-label': label });
    const selected = runs.filter((run) => this.actions.isSelected(run)).length;
    box.checked = selected === runs.length;
    box.indeterminate = selected > 0 && selected < runs.length;
    row.classList.toggle('selected', box.checked);
    box.addEventListener('change', () => {
      row.classList.toggle('selected', box.checked);
      this.actions.select(runs, box.checked);
    });
    return html('td', { class: 'runs-c-select' }, box);
  }

  private runRow(run: ListedRun, group: string | null, index: number): HTMLTableRowElement {
    const row = html('tr', { 'data-run': run.id, 'aria-rowindex': index + 2 });
    if (group !== null) row.classList.add('inside');
    row.append(this.box(`Select ${shownName(run)}`, [run], row));
    const { filterTag, editor } = this.actions;
    const actions = { address: addressOf, filterTag, edit: editor() };
    for (const column of this.columns)
      row.append(this.cell(column, column.cells(run, this.now, actions)));
    return row;
  }

  private groupRow(
    { group, open }: { group: Group; open: boolean },
    index: number,
  ): HTMLTableRowElement {
    const row = html('tr', {
      class: 'runs-group',
      'data-group': group.key,
      'aria-rowindex': index + 2,
    });
    row.append(this.box(`Select the runs with ${group.words}`, group.runs, row));
    for (const column of this.columns)
      row.append(
        this.cell(
          column,
          column.fixed ? this.groupButton(group, open) : this.spread(column, group),
        ),
      );
    return row;
  }

  private groupButton(group: Group, open: boolean): (Node | string)[] {
    const button = html(
      'button',
      {
        type: 'button',
        class: 'runs-name clip',
        'aria-expanded': String(open),
        title: group.words,
      },
      group.words,
    );
    button.addEventListener('click', () => this.actions.openGroup(group, !open));
    return [button, html('span', { class: 'runs-under quiet' }, counted(group.runs.length, 'run'))];
  }

  private spread(column: Column, group: Group): (Node | string)[] {
    const { order, write } = column;
    if (!order || !write) return [];
    const values = group.runs.map((run) => {
      const value = order(run, this.now);
      return typeof value === 'number' ? value : null;
    });
    const spread = spreadOf(values);
    if (!spread) return [html('span', { class: 'quiet' }, '–')];
    const { mean, deviation, count, min, max } = spread;
    const title = `Mean of ${counted(count, 'run')}, ± standard deviation; ${write(min)} to ${write(max)}`;
    const parts = [html('span', { title }, write(mean))];
    if (deviation > 0)
      parts.push(html('span', { class: 'runs-under quiet' }, `± ${write(deviation)}`));
    return parts;
  }

  private cell(column: Column, inside: (Node | string)[]): HTMLElement {
    return html(
      'td',
      { class: `${classOf(column)}${column.numeric ? ' number' : ''}` },
      html('div', { class: 'runs-cell' }, ...inside),
    );
  }

  private headCell(column: Column, sort: string): HTMLTableCellElement {
    const cell = html('th', {
      scope: 'col',
      class: `${classOf(column)}${column.numeric ? ' number' : ''}`,
      'data-column': column.id,
    });
    if (!column.fixed) this.movable(cell, column);
    if (!column.order) {
      cell.append(column.title);
      cell.tabIndex = 0; // To be moved by keyboard.
      cell.setAttribute('aria-keyshortcuts', MOVES);
      return cell;
    }
    const button = html(
      'button',
      { type: 'button', class: 'sort', title: column.title },
      // Not the button: the arrow stands outside of it.
      html('span', { class: 'clip' }, column.title),
    );
    if (!column.fixed) button.setAttribute('aria-keyshortcuts', MOVES);
    const [up, down] = column.falling ? ['descending', 'ascending'] : ['ascending', 'descending'];
    if (sort === column.id) cell.setAttribute('aria-sort', up);
    if (sort === `-${column.id}`) cell.setAttribute('aria-sort', down);
    // First click: most findings, longest, newest first.
    const first = column.numeric || column.id === 'findings' ? `-${column.id}` : column.id;
    const other = first === column.id ? `-${column.id}` : column.id;
    button.addEventListener('click', () => this.actions.sort(sort === first ? other : first));
    cell.append(button);
    return cell;
  }

  private movable(cell: HTMLElement, { id }: Column): void {
    cell.draggable = true;
    cell.addEventListener('dragstart', (event) => {
      this.dragged = id;
      event.dataTransfer?.setData('text/plain', id);
    });
    cell.addEventListener('dragend', () => (this.dragged = ''));
    cell.addEventListener('dragover', (event) => {
      if (this.dragged === '' || this.dragged === id) return;
      event.preventDefault();
      cell.classList.add('target');
    });
    cell.addEventListener('dragleave', () => cell.classList.remove('target'));
    cell.addEventListener('drop', (event) => {
      event.preventDefault();
      cell.classList.remove('target');
      if (this.dragged !== '') this.actions.move(this.dragged, id);
    });
    cell.addEventListener('keydown', (event) => {
      if (!event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
      event.preventDefault();
      this.actions.moveBy(id, event.key === 'ArrowLeft' ? -1 : 1);
    });
  }
}
