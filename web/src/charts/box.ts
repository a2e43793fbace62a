// Box plot: per device a box over the middle 50 % with a line at the median, whiskers, and a dot at
// the 95th percentile.
//
// Data: {boxes: [{label, lower, p25, p50, p75, upper, p95?}], thresholds: [{value, label}]}, percent.

import { svg } from '../base/dom';
import { figure } from '../base/format';
import { linear } from '../base/scale';
import { fitted, frame, type Place, text, tipOn, xAxis } from './chart';

interface Box {
  label: string;
  lower: number;
  p25: number;
  p50: number;
  p75: number;
  upper: number;
  p95?: number;
}

export interface BoxData {
  boxes: Box[];
  thresholds: { value: number; label: string }[];
}

const ROW = 34;
const MARGINS = 62;

function told(box: Box): string[] {
  const lines = [
    box.label,
    `median ${figure(box.p50)} %`,
    `middle 50 %: ${figure(box.p25)} to ${figure(box.p75)} %`,
    `whiskers ${figure(box.lower)} to ${figure(box.upper)} %`,
  ];
  return box.p95 === undefined ? lines : [...lines, `p95 ${figure(box.p95)} %`];
}

export function drawBox(data: BoxData, place: Place): void {
  if (data.boxes.length === 0) return;
  const left = Math.min(150, place.width * 0.32);
  const on = frame(place, data.boxes.length * ROW + MARGINS, left);
  const top = on.top + 12;
  const highest = Math.max(100, ...data.boxes.map((box) => box.upper));
  const x = linear(0, highest, on.left, on.right - 4);
  const percent = (value: number): string => `${figure(value)} %`;
  for (const value of [0, 25, 50, 75, 100]) {
    on.svg.append(
      svg('line', { class: 'grid', x1: x(value), x2: x(value), y1: top, y2: on.bottom }),
    );
  }
  xAxis(on, x, [0, 25, 50, 75, 100], percent, '');
  for (const { value, label } of data.thresholds) {
    on.svg.append(
      svg('line', { class: 'threshold', x1: x(value), x2: x(value), y1: top, y2: on.bottom }),
    );
    on.svg.append(
      text(x(value), on.top + 4, x(value) > place.width * 0.6 ? 'end' : 'middle', label),
    );
  }
  data.boxes.forEach((box, i) => {
    const y = top + i * ROW + ROW / 2;
    const group = svg('g', { class: 'mark box s0' });
    group.append(
      svg('line', { class: 'whisker', x1: x(box.lower), x2: x(box.upper), y1: y, y2: y }),
    );
    for (const end of [box.lower, box.upper]) {
      group.append(svg('line', { class: 'whisker', x1: x(end), x2: x(end), y1: y - 5, y2: y + 5 }));
    }
    const width = Math.max(2, x(box.p75) - x(box.p25));
    group.append(svg('rect', { class: 'half', x: x(box.p25), y: y - 9, width, height: 18, rx: 2 }));
    group.append(
      svg('line', { class: 'median', x1: x(box.p50), x2: x(box.p50), y1: y - 9, y2: y + 9 }),
    );
    if (box.p95 !== undefined)
      group.append(svg('circle', { class: 'p95', cx: x(box.p95), cy: y, r: 3.5 }));
    tipOn(group, () => told(box));
    on.svg.append(text(on.left - 10, y + 4, 'end', fitted(box.label, left - 14)), group);
  });
}
