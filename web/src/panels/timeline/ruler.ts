// The time axis above the tracks, with marks.

import { ticks, timeTicks } from '../../base/scale';
import { fontAt } from './labels';
import type { Mark } from './model/marks';
import type { Palette } from './model/palette';
import type { Screen } from './painter';
import { moment } from './model/words';

export interface Tick {
  x: number;
  words: string;
}

// From a second on, labels have no fractions, so ticks are at whole seconds, minutes, hours.
const roundTimes = (from: number, to: number, count: number): number[] =>
  (to - from) / count < 1e6
    ? ticks(from, to, count)
    : timeTicks(from / 1e6, to / 1e6, count).map((seconds) => seconds * 1e6);

export function tickMarks(screen: Screen): Tick[] {
  const count = Math.max(3, screen.width / screen.ratio / 120);
  const at = roundTimes(screen.from, screen.to, count);
  const step = at.length > 1 ? (at[1] ?? 0) - (at[0] ?? 0) : screen.to - screen.from;
  const scale = screen.width / (screen.to - screen.from);
  return at.map((time) => ({
    x: Math.round((time - screen.from) * scale),
    words: moment(time, step),
  }));
}

function drawMark(
  context: CanvasRenderingContext2D,
  mark: Mark,
  x: number,
  bottom: number,
  ratio: number,
): void {
  const size = 5 * ratio;
  context.beginPath();
  if (mark.kind === 'outlier') {
    context.moveTo(x - size, bottom - 2 * size);
    context.lineTo(x + size, bottom - 2 * size);
    context.lineTo(x, bottom);
  } else {
    context.moveTo(x, bottom - 2 * size);
    context.lineTo(x + size, bottom - size);
    context.lineTo(x, bottom);
    context.lineTo(x - size, bottom - size);
  }
  context.closePath();
  context.fill();
}

export function drawRuler(
  context: CanvasRenderingContext2D,
  screen: Screen,
  at: Tick[],
  marks: Mark[],
  palette: Palette,
): void {
  const { width, height, ratio } = screen;
  context.clearRect(0, 0, width, height);
  context.fillStyle = palette.css.line;
  context.fillRect(0, height - Math.ceil(ratio), width, Math.ceil(ratio));
  context.font = fontAt(ratio);
  context.textBaseline = 'middle';
  for (const { x, words } of at) {
    context.fillStyle = palette.css.line;
    context.fillRect(x, 0, Math.ceil(ratio), height);
    context.fillStyle = palette.css.quiet;
    context.fillText(words, x + 5 * ratio, 9 * ratio);
  }
  const scale = width / (screen.to - screen.from);
  for (const mark of marks) {
    const x = (mark.time - screen.from) * scale;
    if (x < -9 || x > width + 9) continue;
    context.fillStyle = mark.kind === 'outlier' ? palette.css.warning : palette.css.bad;
    drawMark(context, mark, x, height - ratio, ratio);
  }
}

// The mark at a position on the ruler, in device pixels.
export function markAt(marks: Mark[], screen: Screen, x: number): Mark | undefined {
  const scale = screen.width / (screen.to - screen.from);
  const near = marks.filter(
    (mark) => Math.abs((mark.time - screen.from) * scale - x) < 7 * screen.ratio,
  );
  return near[near.length - 1];
}
