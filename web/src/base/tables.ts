// Tables that sort by a click on a column header; long tables are collapsed.

import { compareCells } from './cell_order';
import { html } from './dom';

const cellText = (row: HTMLTableRowElement, column: number): string =>
  row.cells[column]?.textContent.trim() ?? '';

function fold(table: HTMLTableElement): void {
  const shown = Number(table.dataset['shown'] ?? 0);
  const body = table.tBodies[0];
  if (!body || !(shown > 0) || body.rows.length <= shown) return;
  table.classList.add('folded');
  const rows = body.rows.length;
  const button = html(
    'button',
    { type: 'button', class: 'more', 'aria-expanded': 'false' },
    `Show all ${rows} rows`,
  );
  const hide = (): void => {
    const folded = table.classList.contains('folded');
    [...body.rows].forEach((row, i) => row.classList.toggle('beyond', folded && i >= shown));
  };
  button.addEventListener('click', () => {
    const folded = table.classList.toggle('folded');
    button.textContent = folded ? `Show all ${rows} rows` : `Show the first ${shown}`;
    button.setAttribute('aria-expanded', String(!folded));
    hide();
  });
  table.addEventListener('sorted', hide);
  table.parentElement?.after(button);
  hide();
}

function sortable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 2) return;
  [...(table.tHead?.rows[0]?.cells ?? [])].forEach((header, column) => {
    const numeric = header.classList.contains('number');
    const button = html('button', { type: 'button', class: 'sort' }, ...header.childNodes);
    header.replaceChildren(button);
    button.addEventListener('click', () => {
      const now = header.getAttribute('aria-sort');
      // Numbers sort from the largest.
      const ascending = now ? now === 'descending' : !numeric;
      const rows = [...body.rows];
      rows.sort(
        (a, b) =>
          (ascending ? 1 : -1) * compareCells(cellText(a, column), cellText(b, column), numeric),
      );
      body.append(...rows);
      for (const other of header.parentElement?.children ?? []) other.removeAttribute('aria-sort');
      header.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
      table.dispatchEvent(new Event('sorted'));
    });
  });
}

export function improveTables(within: ParentNode = document): void {
  for (const table of within.querySelectorAll('table')) {
    sortable(table);
    fold(table);
  }
}
