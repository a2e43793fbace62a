// Drawn along with the series: a shaded range, marks, NaN, thresholds.

import uPlot from 'uplot';
import type { Range } from './axes';
import { palette } from './palette';
import type { PlotOptions } from './plot_options';
import type { PlotMark } from './plot_marks';
import type { Projection } from './projection';
import { type PlotSeries, within } from './series_points';

export function drawShade(
  { ctx, bbox }: uPlot,
  at: Projection,
  shade: Range | null | undefined,
): void {
  if (!shade) return;
  const [from, to] = [
    Math.max(bbox.left, at.x(shade[0])),
    Math.min(bbox.left + bbox.width, at.x(shade[1])),
  ];
  ctx.fillStyle = palette().shade;
  if (to > from) ctx.fillRect(from, bbox.top, to - from, bbox.height);
}

export function drawMarks({ ctx, bbox }: uPlot, at: Projection, marks: readonly PlotMark[]): void {
  ctx.lineWidth = uPlot.pxRatio;
  for (const mark of marks) {
    const x = Math.round(at.x(mark.x)) + 0.5;
    if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) continue;
    const { tone = 'plain' } = mark;
    ctx.strokeStyle = tone === 'plain' ? palette().quiet : palette()[tone];
    ctx.globalAlpha = tone === 'plain' ? 0.45 : 0.75;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

const CROSS = 3; // Pixels from the middle of a cross to its ends.

// A cross on the upper edge for each NaN: a curve that ends must not look like a run that ended.
export function drawNans(
  { ctx, bbox }: uPlot,
  at: Projection,
  series: PlotSeries,
  window: Range,
  colour: string,
): void {
  if (!series.nan) return;
  const reach = CROSS * uPlot.pxRatio;
  const y = bbox.top + 2 * reach;
  const [from, to] = within(series, window);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.4 * uPlot.pxRatio;
  ctx.beginPath();
  let last = -Infinity;
  for (let i = from; i < to; ++i) {
    if (!Number.isNaN(series.low[i])) continue;
    const x = at.x(series.x[i] as number);
    if (x - last < 2 * reach) continue; // Crosses would be a bar.
    last = x;
    ctx.moveTo(x - reach, y - reach);
    ctx.lineTo(x + reach, y + reach);
    ctx.moveTo(x - reach, y + reach);
    ctx.lineTo(x + reach, y - reach);
  }
  ctx.stroke();
}

export function drawThresholds(
  { ctx, bbox }: uPlot,
  at: Projection,
  thresholds: NonNullable<PlotOptions['thresholds']>,
): void {
  if (thresholds.length === 0) return;
  const ratio = uPlot.pxRatio;
  const right = bbox.left + bbox.width;
  ctx.strokeStyle = ctx.fillStyle = palette().warning;
  ctx.lineWidth = ratio;
  ctx.font = `${11 * ratio}px ${palette().font}`;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'alphabetic';
  for (const { y, label } of thresholds) {
    const place = at.y(y);
    if (Number.isNaN(place)) continue;
    ctx.setLineDash([5 * ratio, 4 * ratio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, place);
    ctx.lineTo(right, place);
    ctx.stroke();
    const above = place - bbox.top > 18 * ratio;
    ctx.fillText(label, right - 4 * ratio, above ? place - 5 * ratio : place + 13 * ratio);
  }
  ctx.setLineDash([]);
}
