// Drawn along with the series: a shaded range, marks, thresholds.

import uPlot from 'uplot';
import type { Range } from './axes';
import { palette } from './palette';
import type { PlotOptions } from './plot_options';
import type { PlotMark } from './plot_marks';
import type { Projection } from './projection';

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
    ctx.strokeStyle = mark.tone === 'warning' ? palette().warning : palette().quiet;
    ctx.globalAlpha = mark.tone === 'warning' ? 0.75 : 0.45;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
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
