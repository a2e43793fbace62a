// Devices over time, one color per value: one canvas pixel per cell, stretched to fit.
//
// Data: {start, interval, origin, unit: "%", rows: [{name, values: [0..100 or null]}]}, seconds.

import { html, svg } from '../base/dom';
import { elapsed, figure, utc } from '../base/format';
import { linear, timeTicks } from '../base/scale';
import { type Column, fitted, frame, hideTip, type Place, showTip, text, xAxis } from './chart';

export interface HeatmapData {
  start: number;
  interval: number;
  origin: number;
  unit: string;
  rows: { name: string; values: Column }[];
}

// From dark blue to yellow: readable without telling red from green.
const RAMP: [number, number, number][] = [
  [0, 32, 77],
  [49, 68, 107],
  [102, 105, 112],
  [149, 143, 120],
  [203, 186, 105],
  [255, 234, 70],
];

function shade(share: number): [number, number, number] {
  const at = Math.min(1, Math.max(0, share)) * (RAMP.length - 1);
  const low = RAMP[Math.floor(at)] ?? [0, 0, 0];
  const high = RAMP[Math.ceil(at)] ?? low;
  const part = at - Math.floor(at);
  return low.map((value, i) => Math.round(value + ((high[i] ?? 0) - value) * part)) as [
    number,
    number,
    number,
  ];
}

function paint(rows: HeatmapData['rows'], columns: number): HTMLCanvasElement {
  const canvas = html('canvas', {
    width: columns,
    height: rows.length,
    class: 'mark',
    'aria-hidden': 'true',
  });
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  const image = context.createImageData(columns, rows.length);
  rows.forEach((row, j) => {
    row.values.forEach((value, i) => {
      if (value !== null) image.data.set([...shade(value / 100), 255], 4 * (j * columns + i));
    });
  });
  context.putImageData(image, 0, 0);
  return canvas;
}

function scaleOfColours(place: Place): void {
  const bar = html('canvas', { width: 100, height: 1, 'aria-hidden': 'true' });
  const context = bar.getContext('2d');
  for (let i = 0; context && i < 100; ++i) {
    context.fillStyle = `rgb(${shade(i / 99).join(',')})`;
    context.fillRect(i, 0, 1, 1);
  }
  place.into.append(html('div', { class: 'ramp' }, '0 %', bar, '100 %'));
}

export function drawHeatmap(data: HeatmapData, place: Place): void {
  const columns = Math.max(0, ...data.rows.map((row) => row.values.length));
  if (columns === 0) return;
  const rowHeight = Math.max(4, Math.min(24, 360 / data.rows.length));
  const left = Math.min(150, place.width * 0.3);
  const height = data.rows.length * rowHeight + 46;
  const on = frame(place, height, left);
  const from = data.start - data.origin;
  const x = linear(from, from + columns * data.interval, on.left, on.right);
  xAxis(
    on,
    x,
    timeTicks(from, from + columns * data.interval, Math.max(2, place.width / 110)),
    elapsed,
    place.xLabel,
  );
  const every = Math.ceil(14 / rowHeight);
  data.rows.forEach((row, i) => {
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
  const canvas = paint(data.rows, columns);
  // In percent of the image, so that it stays in place when printed at another width.
  canvas.style.left = `${(100 * on.left) / place.width}%`;
  canvas.style.width = `${(100 * (on.right - on.left)) / place.width}%`;
  canvas.style.top = `${(100 * on.top) / height}%`;
  canvas.style.height = `${(100 * (on.bottom - on.top)) / height}%`;
  place.into.append(html('div', { class: 'heat' }, on.svg, canvas));
  canvas.addEventListener('mousemove', (event) => {
    const box = canvas.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    const row = data.rows[Math.floor(((event.clientY - box.top) / box.height) * data.rows.length)];
    if (!row) return;
    const value = row.values[column];
    const time = from + column * data.interval;
    const words = typeof value === 'number' ? `${figure(value)} ${data.unit}` : 'not measured';
    showTip(event, [`${row.name}: ${words}`, `${elapsed(time)} · ${utc(time + data.origin)}`]);
  });
  canvas.addEventListener('mouseleave', hideTip);
  scaleOfColours(place);
}
