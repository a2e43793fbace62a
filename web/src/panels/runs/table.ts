// The table of runs: sortable header and rows.

import type { RunSummary } from '../../api/types';
import { html } from '../../base/dom';
import { COLUMNS, type Column } from './columns';

export interface TableActions {
  sort: (sort: string) => void;
  filterTag: (tag: string) => void;
  select: (run: RunSummary, on: boolean) => void;
  isSelected: (run: RunSummary) => boolean;
}

const addressOf = (run: RunSummary): string => `#/run/${encodeURIComponent(run.id)}/overview`;

export class RunsTable {
  readonly body = html('tbody');
  readonly head = html('thead');
  readonly element: HTMLElement;
  private readonly grid: HTMLTableElement;
  private readonly widths = html('colgroup');
  private columns: readonly Column[] = [];
  private heading = '';
  private now = 0;

  constructor(private readonly actions: TableActions) {
    this.grid = html(
      'table',
      { class: 'runs-table', 'aria-label': 'Runs' },
      this.widths,
      this.head,
      this.body,
    );
    this.element = html('div', { class: 'runs-list card' }, this.grid);
  }

  // columns: ids of the columns shown next to the name. sort: as in the URL.
  show(state: { columns: string[]; sort: string; now: number; rows: number }): void {
    this.columns = COLUMNS.filter(({ id, fixed }) => fixed || state.columns.includes(id));
    this.now = state.now;
    this.grid.setAttribute('aria-rowcount', String(state.rows + 1));
    const heading = `${this.columns.map(({ id }) => id).join()} ${state.sort}`;
    // Rebuilding the header would take the focus from the button that was just pressed.
    if (heading === this.heading) return;
    this.heading = heading;
    const pressed = document.activeElement?.closest<HTMLElement>('th')?.dataset['column'];
    this.widths.replaceChildren(
      html('col', { class: 'runs-c-select' }),
      ...this.columns.map(({ id }) => html('col', { class: `runs-c-${id}` })),
    );
    const cells = this.columns.map((column) => this.headCell(column, state.sort));
    this.head.replaceChildren(
      html(
        'tr',
        { 'aria-rowindex': 1 },
        html(
          'th',
          { scope: 'col', class: 'runs-c-select' },
          html('span', { class: 'unseen' }, 'Select'),
        ),
        ...cells,
      ),
    );
    if (pressed)
      cells
        .find((cell) => cell.dataset['column'] === pressed)
        ?.querySelector('button')
        ?.focus();
  }

  row(run: RunSummary, index: number): HTMLTableRowElement {
    const box = html('input', { type: 'checkbox', 'aria-label': `Select ${run.name}` });
    box.checked = this.actions.isSelected(run);
    const row = html(
      'tr',
      { 'data-run': run.id, 'aria-rowindex': index + 2 },
      html('td', { class: 'runs-c-select' }, box),
    );
    box.addEventListener('change', () => {
      row.classList.toggle('selected', box.checked);
      this.actions.select(run, box.checked);
    });
    row.classList.toggle('selected', box.checked);
    const cell = { address: addressOf, filterTag: this.actions.filterTag };
    for (const column of this.columns) {
      const inside = html('div', { class: 'runs-cell' }, ...column.cells(run, this.now, cell));
      row.append(
        html('td', { class: `runs-c-${column.id}${column.numeric ? ' number' : ''}` }, inside),
      );
    }
    return row;
  }

  private headCell(column: Column, sort: string): HTMLTableCellElement {
    const cell = html('th', {
      scope: 'col',
      class: `runs-c-${column.id}${column.numeric ? ' number' : ''}`,
      'data-column': column.id,
    });
    if (!column.order) {
      cell.append(column.title);
      return cell;
    }
    const button = html('button', { type: 'button', class: 'sort' }, column.title);
    if (sort === column.id) cell.setAttribute('aria-sort', 'ascending');
    if (sort === `-${column.id}`) cell.setAttribute('aria-sort', 'descending');
    // First click: most findings, longest, newest first.
    const first = column.numeric || column.id === 'findings' ? `-${column.id}` : column.id;
    const other = first === column.id ? `-${column.id}` : column.id;
    button.addEventListener('click', () => this.actions.sort(sort === first ? other : first));
    cell.append(button);
    return cell;
  }
}
