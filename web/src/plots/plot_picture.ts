// A plot as an SVG picture, for papers and messages: what is on the screen, with its legend.

import { type Range, xTexts, xTicks, yAxisWidth, yTexts, yTicks } from './axes';
import type { Palette } from './palette';
import type { PlotOptions } from './plot_options';
import { type Projection, projectionOf } from './projection';
import { legendText } from './series_legend';
import { middle, type PlotSeries, within } from './series_points';

export interface Pictured {
  series: readonly PlotSeries[];
  window: Range;
  y: Range;
  options: PlotOptions;
  colours: Palette;
  width: number;
  height: number; // Of the area with the series; title and legend are added.
}

const [HEAD, FOOT, RIGHT, ROW] = [34, 26, 16, 20]; // Pixels.
const CHARACTER = 6.7; // Pixels: the mean width of one in the legend.
const CROSS = 3;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// Control characters are no XML, not even as entities.
const escaped = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.replace(/[\u0000-\u001f\ufffe\uffff]/g, '�').replace(/[&<>"]/g, (one) => ESCAPES[one] ?? '');
const at = (pixel: number): string => String(Math.round(pixel * 10) / 10);

function element(tag: string, attributes: Record<string, string | number>, text = ''): string {
  const words = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${escaped(String(value))}"`,
  );
  return `<${tag}${words.join('')}>${text}</${tag}>`;
}

const words = (
  text: string,
  x: number,
  y: number,
  fill: string,
  more: Record<string, string | number> = {},
): string => element('text', { x: at(x), y: at(y), fill, 'font-size': 12, ...more }, escaped(text));

const lineOf = (x1: number, y1: number, x2: number, y2: number, stroke: string): string =>
  element('line', { x1: at(x1), y1: at(y1), x2: at(x2), y2: at(y2), stroke });

// The points of a series between its NaNs.
function* pieces(
  series: PlotSeries,
  window: Range,
  place: Projection,
  log: boolean,
): Generator<{ x: number; mean: number; low: number; high: number }[]> {
  const [from, to] = within(series, window);
  let piece = [];
  for (let i = from; i < to; ++i) {
    const mean = place.y(middle(series, i, log));
    if (Number.isNaN(mean)) {
      if (piece.length > 0) yield piece;
      piece = [];
      continue;
    }
    const [low, high] = [place.y(series.low[i] as number), place.y(series.high[i] as number)];
    piece.push({
      x: place.x(series.x[i] as number),
      mean,
      low: Number.isNaN(low) ? mean : low,
      high: Number.isNaN(high) ? mean : high,
    });
  }
  if (piece.length > 0) yield piece;
}

const pathOf = (points: readonly [number, number][]): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${at(x)} ${at(y)}`).join('');

function drawn(
  series: PlotSeries,
  colour: string,
  { window, options }: Pictured,
  place: Projection,
): string {
  let made = '';
  for (const piece of pieces(series, window, place, options.log ?? false)) {
    const only = piece[0];
    if (piece.length === 1 && only) {
      made += element('circle', { cx: at(only.x), cy: at(only.mean), r: 2.4, fill: colour });
      continue;
    }
    if (piece.some(({ low, high }) => low - high > 0.5)) {
      const top = piece.map(({ x, high }): [number, number] => [x, high]);
      const bottom = piece.map(({ x, low }): [number, number] => [x, low]).reverse();
      made += element('path', {
        d: `${pathOf([...top, ...bottom])}Z`,
        fill: colour,
        'fill-opacity': 0.24,
      });
    }
    made += element('path', {
      d: pathOf(piece.map(({ x, mean }) => [x, mean])),
      fill: 'none',
      stroke: colour,
      'stroke-width': 1.6,
      'stroke-linejoin': 'round',
    });
  }
  return made;
}

function crosses(series: PlotSeries, colour: string, window: Range, place: Projection): string {
  if (!series.nan) return '';
  const [from, to] = within(series, window);
  let [d, last] = ['', -Infinity];
  for (let i = from; i < to; ++i) {
    const x = place.x(series.x[i] as number);
    if (!Number.isNaN(series.low[i]) || x - last < 2 * CROSS) continue;
    last = x;
    const y = HEAD + 2 * CROSS;
    d += pathOf([
      [x - CROSS, y - CROSS],
      [x + CROSS, y + CROSS],
    ]);
    d += pathOf([
      [x - CROSS, y + CROSS],
      [x + CROSS, y - CROSS],
    ]);
  }
  return d && element('path', { d, stroke: colour, 'stroke-width': 1.4, fill: 'none' });
}

// Names with the last values, in as many rows as they need.
function legendOf(
  { series, options, colours, width }: Pictured,
  left: number,
  top: number,
): { made: string; height: number } {
  let [made, x, y] = ['', left, top + 14];
  series.forEach((one, i) => {
    const text = `${one.name}  ${legendText(one, null, options.unit ?? '')}`;
    const wide = 18 + text.length * CHARACTER + 14;
    if (x > left && x + wide > width) [x, y] = [left, y + ROW];
    const fill = colourOf(colours, one, i);
    made += element('rect', { x: at(x), y: at(y - 6), width: 12, height: 4, fill });
    made += words(text, x + 18, y, colours.text);
    x += wide;
  });
  return { made, height: series.length > 0 ? y - top + 10 : 0 };
}

const colourOf = ({ series, text }: Palette, { colour }: PlotSeries, i: number): string =>
  series[(colour ?? i) % 8] ?? text;

export function pictureOf(pictured: Pictured): string {
  const { series, window, y, options, colours, width, height } = pictured;
  const log = options.log ?? false;
  const yAt = yTicks(y, log, height / 36);
  const yWords = yTexts(yAt, options.unit ?? '', log);
  const left = yAxisWidth(yWords);
  const box = { left, top: HEAD, width: width - left - RIGHT, height };
  const place = projectionOf(box, window, y, log);
  const bottom = HEAD + height;
  const time = options.time ?? false;
  const xAt = xTicks(window, time, Math.max(2, box.width / 70), !options.fractions);
  const xWords = xTexts(xAt, time);
  const quiet = colours.quiet;
  const grid = [
    ...xAt.map((value, i) => {
      const x = place.x(value);
      const text = words(xWords[i] ?? '', x, bottom + 17, quiet, { 'text-anchor': 'middle' });
      return lineOf(x, HEAD, x, bottom, colours.line) + text;
    }),
    ...yAt.map((value, i) => {
      const down = place.y(value);
      const text = words(yWords[i] ?? '', left - 8, down + 4, quiet, { 'text-anchor': 'end' });
      return lineOf(left, down, left + box.width, down, colours.line) + text;
    }),
  ];
  const marks = (options.marks ?? [])
    .filter(({ x }) => x >= window[0] && x <= window[1])
    .map(({ x, label, tone = 'plain' }) =>
      element(
        'line',
        {
          x1: at(place.x(x)),
          x2: at(place.x(x)),
          y1: HEAD,
          y2: bottom,
          stroke: tone === 'plain' ? quiet : colours[tone],
        },
        element('title', {}, escaped(label)),
      ),
    );
  // The first series is on top.
  const curves = series
    .map((one, i) => {
      const colour = colourOf(colours, one, i);
      return drawn(one, colour, pictured, place) + crosses(one, colour, window, place);
    })
    .reverse();
  const legend = legendOf(pictured, left, bottom + FOOT);
  const tall = bottom + FOOT + legend.height;
  const clip = element(
    'clipPath',
    { id: 'area' },
    element('rect', { x: left, y: HEAD, width: at(box.width), height }),
  );
  const size = { width, height: tall, viewBox: `0 0 ${width} ${tall}` };
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...size, 'font-family': 'sans-serif' },
    element('defs', {}, clip) +
      element('rect', { width, height: tall, fill: colours.card }) +
      words(options.label, 12, 21, colours.text, { 'font-size': 14, 'font-weight': 600 }) +
      words(options.xLabel ?? '', width - RIGHT, 21, quiet, { 'text-anchor': 'end' }) +
      grid.join('') +
      element('g', { 'clip-path': 'url(#area)' }, marks.join('') + curves.join('')) +
      legend.made,
  );
}
