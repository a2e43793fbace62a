// Curves whose axes both go from 0 to 1: ROC, precision and recall, calibration.

import { html, svg } from '../base/dom';
import { linear, type Scale, ticks } from '../base/scale';
import { colour, frame, hideTip, legend, type Place, showTip, xAxis, yAxis } from './chart';
import { nearestPoint } from './nearest_point';
import { percent } from './roc_outcome';

export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  readonly words: readonly string[]; // For the pointer.
}

export interface CurveData {
  readonly name: string;
  readonly points: readonly CurvePoint[];
  readonly steps?: boolean; // Horizontal, then vertical: nothing is known between points.
  readonly dots?: boolean;
}

export interface UnitCurves {
  readonly curves: readonly CurveData[];
  readonly diagonal: boolean; // What chance, or a perfect calibration, would be.
}

const HEIGHT = 320;
const WIDTH = 440;

function pathOf({ points, steps }: CurveData, x: Scale, y: Scale): string {
  const parts = points.map((point, i) => {
    const [right, up] = [x(point.x).toFixed(1), y(point.y).toFixed(1)];
    const before = points[i - 1];
    if (!before) return `M${right} ${up}`;
    // The precision of a recall is that of the next point: it is reached only there.
    return steps ? `V${up}H${right}` : `L${right} ${up}`;
  });
  return parts.join('');
}

export function drawUnitCurves({ curves, diagonal }: UnitCurves, place: Place): void {
  const width = Math.min(place.width, WIDTH);
  const box = html('div', { class: 'unit-curves' });
  box.style.maxWidth = `${width}px`;
  place.into.append(box);
  legend(
    place,
    curves.map(({ name }) => name),
  );
  const on = frame({ ...place, into: box, width }, Math.min(HEIGHT, width * 0.8), 46);
  const x = linear(0, 1, on.left, on.right);
  const y = linear(0, 1, on.bottom, on.top);
  yAxis(on, y, ticks(0, 1, 5), percent);
  xAxis(on, x, ticks(0, 1, Math.max(2, width / 90)), percent, place.xLabel);
  if (diagonal)
    on.svg.append(svg('line', { class: 'chance', x1: x(0), y1: y(0), x2: x(1), y2: y(1) }));
  const shown = curves.filter((_, i) => !place.state.hidden.has(i));
  curves.forEach((curve, i) => {
    if (!shown.includes(curve)) return;
    on.svg.append(svg('path', { class: `mark line ${colour(i)}`, d: pathOf(curve, x, y) }));
    if (!curve.dots) return;
    for (const point of curve.points)
      on.svg.append(
        svg('circle', { class: `dot ${colour(i)}`, cx: x(point.x), cy: y(point.y), r: 3.5 }),
      );
  });
  const dot = svg('circle', { class: 'dot chosen s1', r: 4.5, visibility: 'hidden' });
  on.svg.append(dot);
  on.svg.addEventListener('mousemove', (event) => {
    const size = on.svg.getBoundingClientRect();
    const scale = width / Math.max(1, size.width);
    const at = { x: (event.clientX - size.left) * scale, y: (event.clientY - size.top) * scale };
    const found = nearestPoint(shown, (point) => ({ x: x(point.x), y: y(point.y) }), at);
    dot.setAttribute('visibility', found ? 'visible' : 'hidden');
    if (!found) return hideTip();
    dot.setAttribute('cx', String(x(found.x)));
    dot.setAttribute('cy', String(y(found.y)));
    showTip(event, [...found.words]);
  });
  on.svg.addEventListener('mouseleave', () => {
    dot.setAttribute('visibility', 'hidden');
    hideTip();
  });
}
