// A sortable table whose rows can be links.

import { html } from '../../../base/dom';
import { refill } from '../../../base/refill';
import { inOrder } from './row_order';

export interface TableColumn<Row> {
  title: string;
  numeric?: boolean;
  value: (row: Row) => string | number; // Sort key.
  cell: (row: Row) => Node | string;
}

export interface TableOptions<Row> {
  caption: string;
  columns: TableColumn<Row>[];
  sorted?: { column: number; ascending: boolean };
  onSort?: (column: number, ascending: boolean) => void;
  current?: (row: Row) => boolean;
}

const MOST_ROWS = 500;

export function table<Row>(into: HTMLElement, rows: Row[], options: TableOptions<Row>): void {
  const { columns, sorted } = options;
  const heads = columns.map((column, i) => {
    const button = html('button', { type: 'button', class: 'sort' }, column.title);
    const head = html('th', { scope: 'col', class: column.numeric ? 'number' : '' }, button);
    const chosen = sorted?.column === i;
    if (chosen) head.setAttribute('aria-sort', sorted.ascending ? 'ascending' : 'descending');
    button.addEventListener('click', () => {
      // Numbers sort from the largest.
      const ascending = chosen ? !sorted.ascending : !column.numeric;
      table(into, rows, { ...options, sorted: { column: i, ascending } });
      options.onSort?.(i, ascending);
    });
    return head;
  });
  const body = inOrder(rows, columns[sorted?.column ?? -1], sorted?.ascending ?? true)
    .slice(0, MOST_ROWS)
    .map((row) => {
      const line = html(
        'tr',
        {},
        ...columns.map((column) =>
          html('td', { class: column.numeric ? 'number' : '' }, column.cell(row)),
        ),
      );
      if (options.current?.(row)) line.setAttribute('aria-current', 'true');
      return line;
    });
  const whole = html(
    'table',
    {},
    html('caption', { class: 'unseen' }, options.caption),
    html('thead', {}, html('tr', {}, ...heads)),
    html('tbody', {}, ...body),
  );
  const box = html(
    'div',
    { class: 'table', tabindex: 0, role: 'region', 'aria-label': options.caption },
    whole,
  );
  refill(into, box);
  if (rows.length > MOST_ROWS) {
    into.append(
      html(
        'p',
        { class: 'quiet' },
        `The first ${MOST_ROWS} of ${rows.length.toLocaleString('en')} rows.`,
      ),
    );
  }
}

// A name that opens something.
export function link(words: string, go: () => void, label = ''): HTMLButtonElement {
  const button = html('button', { type: 'button', class: 'timeline-link' }, words || '(no name)');
  if (label) button.setAttribute('aria-label', label);
  button.addEventListener('click', go);
  return button;
}
