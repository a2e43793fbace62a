// Horizontal bars.
//
// Data: {unit, bars: [{label, value}]} in the order in which they are drawn.

import { svg } from '../base/dom';
import { withUnit } from '../base/format';
import { linear } from '../base/scale';
import { fitted, type Place, text, tipOn } from './chart';

export interface BarsData {
  unit: string;
  bars: { label: string; value: number }[];
}

const ROW = 26;
const VALUE = 64; // Pixels for the number after a bar.

export function drawBars(data: BarsData, place: Place): void {
  const most = Math.max(0, ...data.bars.map((bar) => bar.value));
  if (!(most > 0)) return;
  const left = Math.min(260, place.width * 0.42);
  const height = data.bars.length * ROW + 4;
  const picture = svg('svg', { viewBox: `0 0 ${place.width} ${height}`, 'aria-hidden': 'true' });
  const x = linear(0, most, left, place.width - VALUE);
  data.bars.forEach((bar, i) => {
    const y = i * ROW;
    const value = withUnit(bar.value, data.unit);
    const mark = svg('rect', {
      class: 'mark bar s0',
      x: left,
      y: y + 5,
      width: Math.max(1, x(bar.value) - left),
      height: ROW - 10,
      rx: 2,
    });
    tipOn(mark, () => [bar.label, value]);
    picture.append(text(left - 8, y + 17, 'end', fitted(bar.label, left - 12)), mark);
    picture.append(text(x(bar.value) + 6, y + 17, 'start', value));
  });
  place.into.append(picture);
}
