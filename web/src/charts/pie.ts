// Shares of a whole, as a ring with a list next to it.
//
// Data: {slices: [{label, value}]}, values of any scale.

import { html, svg } from '../base/dom';
import { figure } from '../base/format';
import { colour, type Place, tipOn } from './chart';

export interface PieData {
  slices: { label: string; value: number }[];
}

const SIZE = 168;
const OUTER = 80;
const INNER = 50;

function point(radius: number, turn: number): string {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return `${(SIZE / 2 + radius * Math.cos(angle)).toFixed(2)} ${(SIZE / 2 + radius * Math.sin(angle)).toFixed(2)}`;
}

// From and to are fractions of a turn. A full turn needs two arcs: an arc cannot end where it
// begins.
function ring(from: number, to: number): string {
  if (to - from > 0.9999) return ring(0, 0.5) + ring(0.5, 0.9998);
  const large = to - from > 0.5 ? 1 : 0;
  return (
    `M${point(OUTER, from)}A${OUTER} ${OUTER} 0 ${large} 1 ${point(OUTER, to)}` +
    `L${point(INNER, to)}A${INNER} ${INNER} 0 ${large} 0 ${point(INNER, from)}Z`
  );
}

export function drawPie(data: PieData, place: Place): void {
  const slices = data.slices.map((slice) => ({
    label: slice.label,
    value: Math.max(0, slice.value),
  }));
  const sum = slices.reduce((all, slice) => all + slice.value, 0);
  if (!(sum > 0)) return;
  const picture = svg('svg', {
    viewBox: `0 0 ${SIZE} ${SIZE}`,
    class: 'ring',
    'aria-hidden': 'true',
  });
  const list = html('ul', { class: 'shares' });
  let from = 0;
  slices.forEach((slice, i) => {
    const share = slice.value / sum;
    const percent = `${figure(Math.round(share * 1000) / 10)} %`;
    if (share > 0) {
      const path = svg('path', { class: `mark slice ${colour(i)}`, d: ring(from, from + share) });
      tipOn(path, () => [slice.label, percent]);
      picture.append(path);
    }
    from += share;
    list.append(
      html(
        'li',
        { class: colour(i) },
        html('span', { class: 'swatch', 'aria-hidden': 'true' }),
        html('span', { class: 'name' }, slice.label),
        html('span', { class: 'value' }, percent),
      ),
    );
  });
  place.into.append(html('div', { class: 'pie-row' }, picture, list));
}
