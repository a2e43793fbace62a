// Utilization of every node: maximum, percentiles, minimum.

import type { UtilisationRow } from '../../api/types';
import { html } from '../../base/dom';
import { withUnit } from '../../base/format';

const COLUMNS = [
  ['max', 'Max'],
  ['p99', 'p99'],
  ['p95', 'p95'],
  ['p50', 'p50'],
  ['min', 'Min'],
] as const;

function cell(row: UtilisationRow, name: (typeof COLUMNS)[number][0]): HTMLElement {
  const value = row[name];
  if (value === null || !Number.isFinite(value)) return html('td', { class: 'number quiet' }, '–');
  const made = html('td', { class: 'number system-amount' }, withUnit(value, row.unit));
  // A bar behind the number, for reading down the column.
  if (row.unit === '%')
    made.style.setProperty('--part', String(Math.max(0, Math.min(1, value / 100))));
  return made;
}

function head(): HTMLElement {
  const line = html(
    'tr',
    {},
    html('th', { scope: 'col' }, 'Node'),
    html('th', { scope: 'col' }, 'Metric'),
  );
  for (const [, title] of COLUMNS)
    line.append(html('th', { scope: 'col', class: 'number' }, title));
  return html('thead', {}, line);
}

export class SummaryTable {
  readonly element: HTMLElement;
  private readonly body = html('tbody');

  constructor(private readonly pick: (node: string) => void) {
    const caption = html(
      'caption',
      { class: 'unseen' },
      'Utilization of each node in the time range shown',
    );
    const table = html('table', { class: 'system-summary' }, caption, head(), this.body);
    const place = {
      class: 'table tall system-amounts',
      tabindex: 0,
      role: 'group',
      'aria-label': 'Utilization of each node',
    };
    this.element = html('div', place, table);
  }

  set(all: readonly UtilisationRow[], chosen: string): void {
    // A node without GPUs gets no GPU rows.
    const rows = all.filter((row) => COLUMNS.some(([name]) => row[name] !== null));
    const focused = this.body.contains(document.activeElement)
      ? document.activeElement?.textContent
      : null;
    let before: string | null = null;
    const lines = rows.map((row) => {
      const first = row.node !== before;
      before = row.node;
      const line = html('tr', {
        class: `${first ? 'system-first' : ''} ${row.node === chosen ? 'system-chosen' : ''}`,
      });
      if (first)
        line.append(this.nodeCell(row.node, rows.filter(({ node }) => node === row.node).length));
      line.append(
        html('th', { scope: 'row' }, row.group),
        ...COLUMNS.map(([name]) => cell(row, name)),
      );
      return line;
    });
    this.body.replaceChildren(...lines);
    // Newer values must not take the focus away.
    for (const button of this.body.querySelectorAll('button'))
      if (button.textContent === focused) button.focus({ preventScroll: true });
  }

  private nodeCell(node: string, rows: number): HTMLElement {
    const button = html(
      'button',
      { type: 'button', class: 'system-node', title: `Show ${node} below` },
      node,
    );
    button.addEventListener('click', () => this.pick(node));
    return html('th', { scope: 'rowgroup', rowspan: rows }, button);
  }
}
