// A table of any size: only visible cells are elements.

import { html } from '../../base/dom';
import type { Axis } from './slices';
import { itemsIn, MOST, scrolledTo } from './table_scroll';
import { placeOf, writeValue } from './value';

const ROW = 26;
const COLUMN = 100;
const HEAD = 72; // Row numbers.

export interface Cells {
  readonly rows: Axis;
  readonly columns: Axis | null; // None: one column of values.
  // undefined: not loaded yet; `refresh` is called when it is.
  at: (row: number, column: number) => number | string | undefined;
}

export class ValueTable {
  // The visible part is sticky in front of a scrolling spacer, so it never lags behind the scroll
  // bar.
  private readonly pane = html('div', { class: 'tensors-pane', role: 'presentation' });
  private readonly space = html('div', { class: 'tensors-cells', role: 'presentation' }, this.pane);
  private readonly box: HTMLElement;
  private row = 0;
  private column = 0;
  private frame = 0;
  private readonly resized: ResizeObserver;

  constructor(
    into: HTMLElement,
    label: string,
    private readonly cells: Cells,
  ) {
    this.box = html('div', {
      class: 'tensors-table',
      role: 'grid',
      tabindex: 0,
      'aria-label': label,
      'aria-rowcount': this.rows + 1,
      'aria-colcount': this.columns + 1,
    });
    this.box.append(this.space);
    into.append(this.box);
    this.space.style.width = `${HEAD + Math.min(MOST, this.columns * COLUMN)}px`;
    this.space.style.height = `${ROW + Math.min(MOST, this.rows * ROW)}px`;
    this.box.style.height = `${Math.min(480, ROW + this.rows * ROW + 18)}px`;
    this.box.addEventListener('scroll', () => this.refresh());
    this.box.addEventListener('keydown', (event) => this.key(event));
    this.resized = new ResizeObserver(() => this.refresh());
    this.resized.observe(this.box);
    this.refresh();
  }

  refresh(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.draw());
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.resized.disconnect();
    this.box.remove();
  }

  private get rows(): number {
    return this.cells.rows.length;
  }

  private get columns(): number {
    return this.cells.columns?.length ?? 1;
  }

  private draw(): void {
    this.frame = 0;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.box;
    const [row0, row1] = itemsIn(scrollTop, clientHeight - ROW, this.rows, ROW);
    const [column0, column1] = itemsIn(scrollLeft, clientWidth - HEAD, this.columns, COLUMN);
    // The hidden fraction of the first row, for smooth scrolling if the table fits the browser's
    // limit.
    const restY = this.rows * ROW <= MOST ? scrollTop - row0 * ROW : 0;
    const restX = this.columns * COLUMN <= MOST ? scrollLeft - column0 * COLUMN : 0;
    this.pane.style.width = `${clientWidth}px`;
    this.pane.style.height = `${clientHeight}px`;
    const made = [this.heads(column0, column1, restX)];
    for (let row = row0; row < row1; ++row) {
      const line = html('div', { class: 'tensors-line', role: 'row', 'aria-rowindex': row + 2 });
      line.style.top = `${ROW + (row - row0) * ROW - restY}px`;
      for (let column = column0; column < column1; ++column)
        line.append(this.cell(row, column, (column - column0) * COLUMN - restX));
      line.append(
        html(
          'span',
          { class: 'tensors-rowhead', role: 'rowheader' },
          String(placeOf(this.cells.rows, row)),
        ),
      );
      made.push(line);
    }
    // The header last, above the rows that scroll under it.
    this.pane.replaceChildren(...made.slice(1), ...made.slice(0, 1));
    const seen =
      this.row >= row0 && this.row < row1 && this.column >= column0 && this.column < column1;
    if (seen)
      this.box.setAttribute('aria-activedescendant', `tensors-cell-${this.row}-${this.column}`);
    else this.box.removeAttribute('aria-activedescendant');
  }

  private heads(from: number, to: number, rest: number): HTMLElement {
    const line = html('div', { class: 'tensors-line head', role: 'row', 'aria-rowindex': 1 });
    for (let column = from; column < to; ++column) {
      const words = this.cells.columns ? String(placeOf(this.cells.columns, column)) : 'value';
      const head = html('span', { class: 'tensors-cell', role: 'columnheader' }, words);
      head.style.left = `${HEAD + (column - from) * COLUMN - rest}px`;
      line.append(head);
    }
    line.append(
      html(
        'span',
        { class: 'tensors-rowhead', role: 'columnheader' },
        html('span', { class: 'unseen' }, 'Index'),
      ),
    );
    return line;
  }

  private cell(row: number, column: number, left: number): HTMLElement {
    const value = this.cells.at(row, column);
    const words = value === undefined ? '…' : writeValue(value, 5);
    const odd = typeof value === 'number' && !Number.isFinite(value) ? ' odd' : '';
    const active = row === this.row && column === this.column ? ' active' : '';
    const whole = value === undefined ? '' : writeValue(value, 17);
    const cell = html(
      'span',
      { class: `tensors-cell${odd}${active}`, role: 'gridcell', title: whole },
      words,
    );
    cell.id = `tensors-cell-${row}-${column}`;
    cell.style.left = `${HEAD + left}px`;
    return cell;
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 2);
    const move: Record<string, [number, number]> = {
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      PageDown: [page, 0],
      PageUp: [-page, 0],
      Home: [0, -this.columns],
      End: [0, this.columns],
    };
    const by = move[event.key];
    if (!by) return;
    event.preventDefault();
    this.row = Math.max(0, Math.min(this.rows - 1, this.row + by[0]));
    this.column = Math.max(0, Math.min(this.columns - 1, this.column + by[1]));
    this.follow();
  }

  private follow(): void {
    const { clientHeight, clientWidth } = this.box;
    this.box.scrollTop = scrolledTo(
      this.box.scrollTop,
      this.row,
      this.rows,
      ROW,
      clientHeight - ROW,
    );
    this.box.scrollLeft = scrolledTo(
      this.box.scrollLeft,
      this.column,
      this.columns,
      COLUMN,
      clientWidth - HEAD,
    );
    this.refresh();
  }
}
