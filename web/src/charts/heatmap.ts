// Devices over time, or workers over steps, one color per value: one canvas pixel per cell, stretched
// to fit.
//
// Data: {start, interval, origin, unit: "%", rows: [{name, values: [0..100 or null]}]}, seconds.
// Over steps: {steps, low, high, unit, rows: [{name, values: [number or null], bad?}]}: colors go from
// low to high; bad: columns whose value is NaN or infinite. With many rows there is a field to
// choose one.

import { html, svg } from '../base/dom';
import { elapsed, utc, withUnit } from '../base/format';
import { linear, ticks, timeTicks } from '../base/scale';
import { fitted, frame, hideTip, type Place, showTip, text, xAxis } from './chart';
import {
  BAD,
  chosenRows,
  type HeatmapData,
  heightOfRows,
  MANY_ROWS,
  shade,
  shareOf,
} from './heatmap_data';

type Rgb = readonly [number, number, number];

function paint(data: HeatmapData, rows: HeatmapData['rows'], columns: number): HTMLCanvasElement {
  const canvas = html('canvas', {
    width: columns,
    height: rows.length,
    class: 'mark',
    'aria-hidden': 'true',
  });
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  const image = context.createImageData(columns, rows.length);
  const put = (row: number, column: number, color: Rgb): void =>
    image.data.set([...color, 255], 4 * (row * columns + column));
  rows.forEach((row, j) => {
    row.values.forEach((value, i) => {
      if (value !== null) put(j, i, shade(shareOf(data, value)));
    });
    for (const column of row.bad ?? []) if (column < columns) put(j, column, BAD);
  });
  context.putImageData(image, 0, 0);
  return canvas;
}

function scaleOfColours(data: HeatmapData, place: Place): void {
  const bar = html('canvas', { width: 100, height: 1, 'aria-hidden': 'true' });
  const context = bar.getContext('2d');
  for (let i = 0; context && i < 100; ++i) {
    context.fillStyle = `rgb(${shade(i / 99).join(',')})`;
    context.fillRect(i, 0, 1, 1);
  }
  const { low = 0, high = 100, unit } = data;
  const ramp = html('div', { class: 'ramp' }, withUnit(low, unit), bar, withUnit(high, unit));
  if (data.rows.some(({ bad }) => bad)) {
    const swatch = html('span', { class: 'bad-swatch', 'aria-hidden': 'true' });
    swatch.style.background = `rgb(${BAD.join(',')})`;
    ramp.append(swatch, 'NaN or infinite');
  }
  place.into.append(ramp);
}

// Which row to show.
function picker(data: HeatmapData, place: Place): HTMLElement {
  const field = html(
    'select',
    {},
    html('option', { value: '' }, 'All'),
    ...data.rows.map(({ name }) => html('option', { value: name }, name)),
  );
  field.value = place.state.row ?? '';
  field.addEventListener('change', () => {
    place.state.row = field.value || null;
    place.redraw();
    place.into.querySelector<HTMLElement>('.pie-fields select')?.focus();
  });
  return html('div', { class: 'pie-fields' }, html('label', {}, 'Rank ', field));
}

interface Axis {
  from: number;
  to: number;
  at: number[];
  write: (value: number) => string;
  words: (column: number) => string; // Of the tooltip.
}

function axisOf(data: HeatmapData, columns: number, width: number): Axis {
  const most = Math.max(2, width / 110);
  if (data.steps) {
    const { steps } = data;
    const [first, last] = [steps[0] ?? 0, steps[columns - 1] ?? 0];
    // The last column is as wide as the others.
    const to = columns > 1 ? last + (last - first) / (columns - 1) : last + 1;
    const write = (value: number): string => Math.round(value).toLocaleString('en');
    const at = ticks(first, to, most).filter(Number.isInteger);
    return { from: first, to, at, write, words: (column) => `step ${write(steps[column] ?? 0)}` };
  }
  const { start = 0, interval = 1, origin = 0 } = data;
  const from = start - origin;
  const to = from + columns * interval;
  const words = (column: number): string => {
    const time = from + column * interval;
    return `${elapsed(time)} · ${utc(time + origin)}`;
  };
  return { from, to, at: timeTicks(from, to, most), write: elapsed, words };
}

export function drawHeatmap(data: HeatmapData, place: Place): void {
  const columns = Math.max(0, ...data.rows.map((row) => row.values.length));
  if (columns === 0) return;
  if (data.steps && data.rows.length > MANY_ROWS) place.into.append(picker(data, place));
  const rows = chosenRows(data, place.state.row);
  const rowHeight = heightOfRows(rows.length);
  const left = Math.min(150, place.width * 0.3);
  const height = rows.length * rowHeight + 46;
  // A picture of its own: fields stand above it.
  const heat = html('div', { class: 'heat' });
  const on = frame({ ...place, into: heat }, height, left);
  const axis = axisOf(data, columns, place.width);
  const x = linear(axis.from, axis.to, on.left, on.right);
  xAxis(on, x, axis.at, axis.write, place.xLabel);
  const every = Math.ceil(14 / rowHeight);
  rows.forEach((row, i) => {
    if (i % every !== 0) return;
    on.svg.append(
      text(left - 8, on.top + (i + 0.5) * rowHeight + 4, 'end', fitted(row.name, left - 12)),
    );
  });
  on.svg.append(
    svg('rect', {
      class: 'empty',
      x: on.left,
      y: on.top,
      width: on.right - on.left,
      height: on.bottom - on.top,
    }),
  );
  const canvas = paint(data, rows, columns);
  // In percent of the image, so that it stays in place when printed at another width.
  canvas.style.left = `${(100 * on.left) / place.width}%`;
  canvas.style.width = `${(100 * (on.right - on.left)) / place.width}%`;
  canvas.style.top = `${(100 * on.top) / height}%`;
  canvas.style.height = `${(100 * (on.bottom - on.top)) / height}%`;
  heat.append(canvas);
  place.into.append(heat);
  canvas.addEventListener('mousemove', (event) => {
    const box = canvas.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    const row = rows[Math.floor(((event.clientY - box.top) / box.height) * rows.length)];
    if (!row) return;
    const value = row.values[column];
    const measured = typeof value === 'number' ? withUnit(value, data.unit) : 'not measured';
    const words = row.bad?.includes(column) ? 'NaN or infinite' : measured;
    showTip(event, [`${row.name}: ${words}`, axis.words(column)]);
  });
  canvas.addEventListener('mouseleave', hideTip);
  scaleOfColours(data, place);
}
