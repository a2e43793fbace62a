// Shares of a whole, as a ring with a list next to it.
//
// Data: {slices: [{label, value}]}, values of any scale.

import { html, svg } from '../base/dom';
import { figure } from '../base/format';
import { colour, type Place, tipOn } from './chart';
import { ring, SIZE } from './ring';

export interface PieData {
  slices: { label: string; value: number }[];
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
