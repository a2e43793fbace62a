// Confusion matrix: one cell per label and prediction, darker for a larger share of the label.
//
// Data: {labels: [names], rows: [[counts by prediction]]}, a row for each label; show: which number
// a cell has, and decides its shade; both, and the share of the label, where it is missing.

import { html, svg } from '../base/dom';
import { figure } from '../base/format';
import { fitted, type Place, text, tipOn } from './chart';

export interface MatrixData {
  labels: string[];
  rows: number[][];
  show?: 'counts' | 'shares';
}

const TOP = 40;
const SHOWN = 40; // Pixels needed for a number in a cell.
const STRONG = 0.55; // Share from which the text turns light.

const whole = (count: number): string => count.toLocaleString('en');
const percent = (share: number): string => `${figure(Math.round(share * 1000) / 10)} %`;

interface Grid {
  left: number;
  cell: number;
  height: number;
  most: number; // The largest count.
}

function drawCell(into: SVGElement, data: MatrixData, at: Grid, row: number, column: number): void {
  const counts = data.rows[row] ?? [];
  const count = counts[column] ?? 0;
  const sum = counts.reduce((all, one) => all + one, 0);
  const share = sum > 0 ? count / sum : 0;
  const [x, y] = [at.left + column * at.cell, TOP + row * at.height];
  const gap = at.cell > 8 ? 1 : 0;
  const group = svg('g', { class: row === column ? 'cell right s0' : 'cell s1' });
  const size = { x, y, width: Math.max(1, at.cell - gap), height: Math.max(1, at.height - gap) };
  group.append(svg('rect', { class: 'empty', ...size }));
  const amount = data.show === 'counts' ? count / Math.max(1, at.most) : share;
  const shade = amount > 0 ? 0.08 + 0.92 * amount : 0;
  group.append(svg('rect', { class: 'mark amount', ...size, 'fill-opacity': shade.toFixed(3) }));
  if (at.cell >= SHOWN) {
    const [middle, centre] = [x + at.cell / 2, y + at.height / 2];
    const words = data.show
      ? [text(middle, centre + 4, 'middle', data.show === 'counts' ? whole(count) : percent(share))]
      : [
          text(middle, centre - 2, 'middle', whole(count)),
          text(middle, centre + 14, 'middle', percent(share)),
        ];
    for (const word of words) word.setAttribute('class', amount > STRONG ? 'strong' : 'weak');
    words[0]?.classList.add('count');
    group.append(...(at.height >= 34 ? words : words.slice(0, 1)));
  }
  const [label, predicted] = [data.labels[row] ?? '', data.labels[column] ?? ''];
  tipOn(group, () => [
    `label ${label}, predicted ${predicted}`,
    `${whole(count)} rows, ${percent(share)} of this label`,
  ]);
  into.append(group);
}

export function drawMatrix(data: MatrixData, place: Place): void {
  const n = data.labels.length;
  if (n === 0 || data.rows.length === 0) return;
  const longest = Math.max(...data.labels.map((label) => label.length));
  const left = Math.min(place.width * 0.3, 30 + 7 * longest);
  const cell = Math.min((place.width - left - 4) / n, n <= 3 ? 150 : 96);
  const most = data.rows.reduce((all, row) => Math.max(all, ...row), 0);
  const tall = n <= 3 ? 80 : 44;
  const at: Grid = { left, cell, height: Math.min(cell, tall), most };
  const height = TOP + n * at.height + 4;
  const picture = svg('svg', { viewBox: `0 0 ${place.width} ${height}`, 'aria-hidden': 'true' });
  const every = Math.ceil(Math.max(16, 8 * Math.min(longest, 4)) / cell);
  const everyRow = Math.ceil(14 / at.height);
  picture.append(text(left + (cell * n) / 2, 14, 'middle', 'predicted'));
  data.labels.forEach((label, i) => {
    const [x, y] = [left + (i + 0.5) * cell, TOP + (i + 0.5) * at.height + 4];
    if (i % every === 0) picture.append(text(x, TOP - 8, 'middle', fitted(label, cell * every)));
    if (i % everyRow === 0) picture.append(text(left - 8, y, 'end', fitted(label, left - 30)));
  });
  const side = text(0, 0, 'middle', 'label');
  side.setAttribute('transform', `translate(12 ${TOP + (at.height * n) / 2}) rotate(-90)`);
  picture.append(side);
  for (let row = 0; row < n; ++row) {
    for (let column = 0; column < n; ++column) drawCell(picture, data, at, row, column);
  }
  place.into.append(html('div', { class: 'matrix-picture' }, picture));
}
