// Where the time of a range, or of the window, went: by name.

import { below, type Client } from '../../../api/client';
import type { TimelineRow } from '../../../api/types';
import { html } from '../../../base/dom';
import { Latest } from '../../common/latest';
import { loading, refused } from '../../common/states';
import type { Range } from '../model/time_window';
import { moment, span } from '../model/words';
import { link, table } from './table';

export class StatisticsPane {
  private readonly latest = new Latest();
  private readonly words = html('p', { class: 'quiet timeline-hint' });
  private readonly list = html('div', {});
  private sorted = { column: 3, ascending: false };
  private shown = '';

  constructor(
    into: HTMLElement,
    private readonly client: Client,
    private readonly run: string,
    private readonly search: (name: string) => void,
  ) {
    into.append(this.words, this.list);
  }

  // `chosen`: the reader selected the range; otherwise it is the visible range.
  show(range: Range, chosen: boolean, again = false): void {
    const [from, to] = range;
    const what = chosen ? 'selected range' : 'visible range (Shift-drag selects a range)';
    this.words.textContent = `${span(to - from)} from ${moment(from, (to - from) / 100)}, ${what}. Self time excludes nested events.`;
    if (this.shown === `${from} ${to}` && !again) return;
    if (this.shown === '') this.list.replaceChildren(loading());
    this.shown = `${from} ${to}`;
    this.latest.ask<{ rows: TimelineRow[] }>(
      (signal) =>
        this.client.get(below(this.run, 'timeline/statistics'), { query: { from, to }, signal }),
      ({ rows }) => this.draw(rows),
      (error) => this.list.replaceChildren(refused(error, () => this.show(range, chosen, true))),
    );
  }

  close(): void {
    this.latest.giveUp();
  }

  private draw(rows: TimelineRow[]): void {
    if (rows.length === 0) {
      this.list.replaceChildren(html('p', { class: 'timeline-hint' }, 'No events in this range.'));
      return;
    }
    const all = rows.reduce((sum, row) => sum + row.self, 0) || 1;
    const bar = (row: TimelineRow): HTMLElement => {
      const meter = html('span', { class: 'timeline-share', 'aria-hidden': 'true' });
      meter.style.width = `${(100 * row.self) / all}%`;
      return html('span', { class: 'timeline-shared' }, meter, html('span', {}, span(row.self)));
    };
    table(this.list, rows, {
      caption: 'Time by name',
      sorted: this.sorted,
      onSort: (column, ascending) => (this.sorted = { column, ascending }),
      columns: [
        {
          title: 'Name',
          value: (row) => row.name,
          cell: (row) => link(row.name, () => this.search(row.name), `Search for ${row.name}`),
        },
        { title: 'Category', value: (row) => row.category, cell: (row) => row.category },
        {
          title: 'Events',
          numeric: true,
          value: (row) => row.count,
          cell: (row) => row.count.toLocaleString('en'),
        },
        {
          title: 'Total',
          numeric: true,
          value: (row) => row.total,
          cell: (row) => span(row.total),
        },
        { title: 'Self', numeric: true, value: (row) => row.self, cell: bar },
        { title: 'Mean', numeric: true, value: (row) => row.mean, cell: (row) => span(row.mean) },
        { title: 'Maximum', numeric: true, value: (row) => row.max, cell: (row) => span(row.max) },
      ],
    });
  }
}
