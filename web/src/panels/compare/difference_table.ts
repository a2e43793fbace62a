// Per tensor: how much two runs differ, since which step, and both curves. Only visible rows are
// elements.

import { html } from '../../base/dom';
import { figure } from '../../base/format';
import { onThemeChange } from '../../plots/palette';
import { type Difference, percent } from './difference_order';
import { drawSpark, type Sparks } from './sparks';
import { letter, type SortKey, type State } from './state';

const ROW = 40;
const MARGIN = 6;
const SPARK = [150, 30] as const;

export interface TableAsks {
  sort: (key: SortKey) => void;
  open: (tensor: string) => void;
}

export class DifferenceTable {
  readonly element: HTMLElement;
  private readonly space = html('div', { class: 'compare-space', role: 'rowgroup' });
  private readonly box: HTMLElement;
  private readonly heads = new Map<SortKey, HTMLElement>();
  private readonly resized: ResizeObserver;
  private readonly stopTheme: () => void;
  private rows: readonly Difference[] = [];
  private against = 1;
  private chosen = '';
  private first = '';
  private sparks: Sparks | null = null;
  private frame = 0;

  constructor(private readonly asks: TableAsks) {
    this.box = html(
      'div',
      { class: 'compare-box', tabindex: 0, role: 'table', 'aria-label': 'Differences by tensor' },
      this.headRow(),
      this.space,
    );
    this.element = html('div', { class: 'compare-table' }, this.box);
    this.box.addEventListener('scroll', () => this.soon());
    this.resized = new ResizeObserver(() => this.soon());
    this.resized.observe(this.box);
    this.stopTheme = onThemeChange(() => this.soon());
  }

  // first: the tensor that differs first; '': none.
  show(
    rows: readonly Difference[],
    state: State,
    chosen: string,
    first: string,
    sparks: Sparks | null,
  ): void {
    this.rows = rows;
    this.first = first;
    this.against = state.against;
    this.chosen = chosen;
    this.sparks = sparks;
    for (const [key, head] of this.heads) {
      if (key === state.sort)
        head.setAttribute(
          'aria-sort',
          state.down === (key !== 'tensor') ? 'descending' : 'ascending',
        );
      else head.removeAttribute('aria-sort');
    }
    this.name('a', letter(0).toUpperCase());
    this.name('b', letter(state.against).toUpperCase());
    this.box.setAttribute('aria-rowcount', String(rows.length + 1));
    this.space.style.height = `${rows.length * ROW}px`;
    this.box.style.height = `${Math.min(600, (rows.length + 1) * ROW + 18)}px`;
    this.soon();
  }

  // The sparklines have arrived.
  refresh(): void {
    this.soon();
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    this.resized.disconnect();
    this.stopTheme();
  }

  private headRow(): HTMLElement {
    const row = html('div', { class: 'compare-line head', role: 'row' });
    const names: [SortKey, string][] = [
      ['tensor', 'Tensor'],
      ['a', 'A'],
      ['b', 'B'],
      ['difference', 'Largest difference'],
      ['first_step', 'Differs from step'],
    ];
    for (const [key, words] of names) {
      const button = html('button', { type: 'button', class: 'sort' }, words);
      button.addEventListener('click', () => this.asks.sort(key));
      const head = html(
        'span',
        { role: 'columnheader', class: key === 'tensor' ? '' : 'number' },
        button,
      );
      this.heads.set(key, head);
      row.append(head);
    }
    row.append(html('span', { role: 'columnheader' }, 'Both'));
    return row;
  }

  private name(key: SortKey, words: string): void {
    const button = this.heads.get(key)?.firstElementChild;
    if (button) button.textContent = words;
  }

  private soon(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.frame = 0;
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - MARGIN);
    const last = Math.min(
      this.rows.length,
      first + Math.ceil(this.box.clientHeight / ROW) + 2 * MARGIN,
    );
    // Keeps the focus on its row when rows are rebuilt.
    const focus = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>(
      '.compare-line',
    )?.dataset['tensor'];
    const made: HTMLElement[] = [];
    for (let i = first; i < last; ++i) {
      const row = this.rows[i];
      if (row) made.push(this.line(row, i));
    }
    this.space.replaceChildren(...made);
    if (focus !== undefined)
      made
        .find(({ dataset }) => dataset['tensor'] === focus)
        ?.querySelector<HTMLElement>('button')
        ?.focus({ preventScroll: true });
  }

  private line(row: Difference, at: number): HTMLElement {
    const button = html(
      'button',
      {
        type: 'button',
        class: 'compare-name',
        title: row.tensor,
        'aria-pressed': String(row.tensor === this.chosen),
      },
      row.tensor,
    );
    button.addEventListener('click', () => this.asks.open(row.tensor));
    const number = (words: string, title = ''): HTMLElement =>
      html('span', { role: 'cell', class: 'number', title }, words);
    const value = (one: number | null): string => (one === null ? '–' : figure(one));
    const where = row.step === undefined || row.step === null ? '' : `at step ${row.step}`;
    const chosen = row.tensor === this.chosen ? ' chosen' : '';
    const first = row.tensor === this.first;
    const line = html('div', {
      class: `compare-line${chosen}${first ? ' first' : ''}`,
      role: 'row',
      'aria-rowindex': at + 2,
      'data-tensor': row.tensor,
    });
    line.style.top = `${at * ROW}px`;
    line.append(
      html('span', { role: 'cell' }, button),
      number(value(row.a), where),
      number(value(row.b), where),
    );
    line.append(number(row.steps === 0 ? 'no common step' : percent(row.difference), where));
    line.append(
      number(
        row.first_step === null
          ? 'never'
          : `${row.first_step.toLocaleString('en')}${first ? ' (first)' : ''}`,
      ),
      this.spark(row),
    );
    return line;
  }

  private spark(row: Difference): HTMLElement {
    const ratio = window.devicePixelRatio || 1;
    const canvas = html('canvas', {
      width: Math.round(SPARK[0] * ratio),
      height: Math.round(SPARK[1] * ratio),
      'aria-hidden': 'true',
    });
    const pair = this.sparks?.get(row.tensor, row.statistic ?? '');
    if (pair) drawSpark(canvas, pair, [0, this.against]);
    return html(
      'span',
      { role: 'cell', class: 'compare-spark' },
      canvas,
      html('span', { class: 'unseen' }, 'Plot this tensor for both runs'),
    );
  }
}
