// Series over time, or over a count such as steps: lines with a band from minimum to maximum, dots,
// and the training loop shaded. Drag to zoom in; + and - zoom, arrow keys move, Escape shows
// everything.
//
// Data: {unit: "%", "B/s" or "s", origin, top?, bottom?, loop?: [from, to], over?,
//        series: [{name, start and interval, or x: [times], y: [values or null],
//                  low?: [], high?: [], marks?: [[time, value]]}]}, times in seconds since 1970, or
//        numbers of what `over` names, such as "step".

import { html, svg } from '../base/dom';
import { elapsed, withUnit } from '../base/format';
import { linear, type Scale, ticks, timeTicks } from '../base/scale';
import { tickWriter } from '../base/tick_text';
import { colour, type Frame, frame, legend, type Place, xAxis, yAxis } from './chart';
import { extent, highest, type LinesData, type Shown, timeOf, told } from './line_data';
import { bandPath, linePath } from './line_paths';
import { zoomable } from './zoom';

const HEIGHT = 220;
const LEFT = 64;

function drawSeries(
  on: Frame,
  into: SVGElement,
  one: Shown,
  data: LinesData,
  x: Scale,
  y: Scale,
): void {
  const { series, number } = one;
  const xAt = (i: number): number => x(timeOf(series, i, data.origin));
  if (series.low && series.high) {
    into.append(
      svg('path', {
        class: `band ${colour(number)}`,
        d: bandPath(series.low, series.high, xAt, y),
      }),
    );
  }
  const dash = ['', '6 3', '2 3'][Math.floor(number / 8) % 3] ?? '';
  const line = svg('path', { class: `mark line ${colour(number)}`, d: linePath(series.y, xAt, y) });
  if (dash) line.setAttribute('stroke-dasharray', dash);
  into.append(line);
  for (const [time, value] of series.marks ?? []) {
    const cx = x(time - data.origin);
    if (cx < on.left || cx > on.right) continue;
    into.append(svg('circle', { class: `mark dot ${colour(number)}`, cx, cy: y(value), r: 3 }));
  }
}

// Clips series at the axes.
function inner(on: Frame): SVGGElement {
  const clip = `clip-${Math.random().toString(36).slice(2)}`;
  const area = {
    x: on.left,
    y: on.top - 4,
    width: Math.max(1, on.right - on.left),
    height: on.bottom - on.top + 5,
  };
  on.svg.append(svg('clipPath', { id: clip }, svg('rect', area)));
  return on.svg.appendChild(svg('g', { 'clip-path': `url(#${clip})` }));
}

function shadeLoop(on: Frame, into: SVGElement, data: LinesData, x: Scale): void {
  if (!data.loop) return;
  const [from, to] = [x(data.loop[0] - data.origin), x(data.loop[1] - data.origin)];
  const height = on.bottom - on.top;
  into.append(
    svg('rect', { class: 'loop', x: from, width: Math.max(0, to - from), y: on.top, height }),
  );
}

function resetButton(place: Place): void {
  if (!place.state.zoom) return;
  const reset = html('button', { type: 'button', class: 'reset' }, 'Show all');
  reset.addEventListener('click', () => {
    place.state.zoom = null;
    place.redraw();
  });
  place.into.append(reset);
}

export function drawLines(data: LinesData, place: Place): void {
  if (data.series.length === 0) return;
  const shown = data.series
    .map((series, number) => ({ series, number }))
    .filter(({ number }) => !place.state.hidden.has(number));
  const all = extent(data);
  const range = place.state.zoom ?? all;
  const top = data.top ?? highest(shown, data, range) * 1.08;
  const on = frame(place, HEIGHT, LEFT);
  const x = linear(range[0], range[1], on.left, on.right);
  const bottom = data.bottom ?? 0;
  const y = linear(bottom, top, on.bottom, on.top);
  const heights = ticks(bottom, top, 4);
  yAxis(
    on,
    y,
    heights,
    tickWriter(heights, (value) => withUnit(value, data.unit)),
  );
  const marks = (data.over ? ticks : timeTicks)(range[0], range[1], Math.max(2, place.width / 80));
  const write = data.over || range[1] - range[0] < 5 ? tickWriter(marks) : elapsed;
  xAxis(on, x, marks, write, place.xLabel);
  const inside = inner(on);
  shadeLoop(on, inside, data, x);
  for (const one of shown) drawSeries(on, inside, one, data, x, y);
  zoomable(on, place, x, all, (time) => told(shown, time, data));
  legend(
    place,
    data.series.map((series) => series.name),
  );
  resetButton(place);
}
