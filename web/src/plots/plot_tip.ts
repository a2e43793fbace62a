// A box at the cursor with the values of all series there.

import { html } from '../base/dom';
import type { PlotSeries } from './series_points';
import { tipRows } from './tip_rows';

const MOST_ROWS = 10;
const APART = 12; // Pixels between the cursor and the box.

export interface TipPlace {
  x: number;
  y: number | null; // The value at the pointer, if it is in this plot.
  words: string; // What x is.
  left: number; // Pixels of the cursor, and of the whole width.
  width: number;
}

export class PlotTip {
  readonly element = html('div', { class: 'plot-tip', hidden: '', 'aria-hidden': 'true' });
  private said = '';

  hide(): void {
    this.element.hidden = true;
  }

  show(series: readonly PlotSeries[], place: TipPlace, unit: string): void {
    const { rows, more } = tipRows(series, place.x, place.y, unit, MOST_ROWS);
    this.element.hidden = rows.length === 0;
    const key = JSON.stringify([place.words, rows]);
    if (key !== this.said) {
      this.said = key;
      this.element.replaceChildren(
        html('strong', {}, place.words),
        ...rows.map(({ name, colour, words }) =>
          html(
            'div',
            {},
            html('span', { class: `plot-swatch plot-c${colour % 8}` }),
            html('span', { class: 'plot-name' }, name),
            html('span', { class: 'plot-value' }, words),
          ),
        ),
        ...(more > 0 ? [html('div', { class: 'quiet' }, `and ${more} more`)] : []),
      );
    }
    const right = place.left > place.width / 2;
    const shift = right ? `calc(${place.left - APART}px - 100%)` : `${place.left + APART}px`;
    this.element.style.transform = `translateX(${shift})`;
  }
}
