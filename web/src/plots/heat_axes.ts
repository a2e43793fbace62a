// The row names and the x axis of a heat map.

import { fitted } from '../charts/chart';
import { type Range, xTexts, xTicks } from './axes';
import type { HeatOptions } from './heat_options';
import { palette } from './palette';

export interface HeatPlace {
  left: number; // Where the cells begin, in pixels.
  width: number; // Of the cells.
  height: number;
  rowHeight: number;
  window: Range;
  span: Range; // The vertical range to draw, in pixels from the top.
}

// If the names do not fit, their common prefix is left out.
export function shortNames(rows: readonly string[], pixels: number): readonly string[] {
  if (rows.every((name) => fitted(name, pixels) === name)) return rows;
  let same = rows[0]?.length ?? 0;
  for (const name of rows) {
    let length = 0;
    while (length < same && name[length] === rows[0]?.[length]) length += 1;
    same = length;
  }
  const [begin = ''] = rows[0]?.slice(0, same).match(/^.*[/._]/) ?? [];
  return rows.map((name) => name.slice(begin.length) || name);
}

// Without the suffix that all names have, such as ".weight".
function withoutSuffix(names: readonly string[]): readonly string[] {
  const end = names[0]?.match(/[/._][^/._]*$/)?.[0] ?? '';
  return end !== '' && names.every((name) => name.length > end.length && name.endsWith(end))
    ? names.map((name) => name.slice(0, -end.length))
    : names;
}

// "encoder.layer11.attention" becomes "e.l11.a".
const initials = (name: string): string =>
  name.replace(/[A-Za-z]+/g, (word) => (/\d/.test(word) ? word : word.slice(0, 1)));

const endOf = (name: string, pixels: number): string => {
  const most = fitted('x'.repeat(1000), pixels).length;
  return name.length <= most ? name : `…${name.slice(name.length - most + 1)}`;
};

// Names that fit into the width. Shortening in the middle may remove what tells names apart, as in
// "layer1.0.conv.weight": then other ways are tried, and the one that keeps most of them apart wins.
export function rowLabels(rows: readonly string[], pixels: number): readonly string[] {
  const short = shortNames(rows, pixels);
  const bare = withoutSuffix(short);
  const ways: (() => readonly string[])[] = [
    () => short.map((name) => fitted(name, pixels)),
    () => bare.map((name) => fitted(name, pixels)),
    () => bare.map((name) => endOf(name, pixels)),
    () => short.map((name) => fitted(initials(name), pixels)),
    () => short.map((name) => endOf(initials(name), pixels)),
  ];
  const wanted = new Set(rows).size;
  let best: readonly string[] = [];
  let apart = -1;
  for (const way of ways) {
    const labels = way();
    const count = new Set(labels).size;
    if (count > apart) [best, apart] = [labels, count];
    if (apart >= wanted) break;
  }
  return best;
}

export function drawNames(
  on: CanvasRenderingContext2D,
  labels: readonly string[],
  place: HeatPlace,
  chosen: (row: number) => boolean,
): void {
  const every = Math.max(1, Math.ceil(12 / place.rowHeight));
  on.font = `11px ${palette().font}`;
  on.textAlign = 'right';
  on.textBaseline = 'middle';
  labels.forEach((label, row) => {
    const loud = chosen(row);
    if (row % every !== 0 && !loud) return;
    const y = Math.max(6, (row + 0.5) * place.rowHeight);
    if (y < place.span[0] - 8 || y > place.span[1] + 8) return;
    on.fillStyle = loud ? palette().accent : palette().quiet;
    on.fillText(label, place.left - 8, y);
  });
}

export function drawAxis(
  on: CanvasRenderingContext2D,
  { time = false, writeX }: HeatOptions,
  place: HeatPlace,
): void {
  const {
    left,
    width,
    height,
    window: [from, to],
  } = place;
  if (place.span[1] < height) return;
  const found = xTicks([from, to], time, Math.max(2, width / 90));
  const at = time ? found : [...new Set(found.map(Math.round))];
  const texts = time ? xTexts(at, true) : at.map(writeX);
  on.fillStyle = palette().quiet;
  on.strokeStyle = palette().line;
  on.textBaseline = 'top';
  at.forEach((x, i) => {
    const mark = left + ((x - from) / (to - from)) * width;
    if (mark < left - 1 || mark > left + width + 1) return;
    on.beginPath();
    on.moveTo(Math.round(mark) + 0.5, height);
    on.lineTo(Math.round(mark) + 0.5, height + 4);
    on.stroke();
    on.textAlign = mark > left + width - 24 ? 'right' : 'center';
    on.fillText(texts[i] ?? '', mark, height + 7);
  });
}
