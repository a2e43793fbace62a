// Draws series onto a canvas: a band from minimum to maximum, a line through the mean.

import type { Range } from './axes';
import { type Points, raster } from './column_raster';
import type { Projection } from './projection';
import { middle, type PlotSeries, within } from './series_points';

const DASHES: number[][] = [[], [7, 4], [2, 3]];
const FEW = 14; // Pixels between points from which each gets a dot.
const BAND = 0.24; // Opacity.
const MANY = 48; // Points of a line from which a path is slower than its pixels, ...
const DENSE = 2; // ... if they are this close; slopes between distant points are smoother as paths.

// Shared by all plots, one after the other.
const points: Points = {
  count: 0,
  x: new Float64Array(),
  low: new Float64Array(),
  mean: new Float64Array(),
  high: new Float64Array(),
};

// bands: whether low and high are needed as well.
function project(
  series: PlotSeries,
  [from, to]: Range,
  at: Projection,
  log: boolean,
  bands: boolean,
): Points {
  const count = Math.max(0, to - from);
  if (points.x.length < count) {
    for (const name of ['x', 'low', 'mean', 'high'] as const)
      points[name] = new Float64Array(count * 2);
  }
  points.count = count;
  for (let i = 0; i < count; ++i) {
    points.x[i] = at.x(series.x[from + i] as number);
    const mean = at.y(middle(series, from + i, log));
    points.mean[i] = mean;
    if (!bands) continue;
    // Values below a log axis end at its bottom.
    const low = at.y(series.low[from + i] as number);
    points.low[i] = Number.isNaN(low) && log ? 1e5 : low;
    points.high[i] = at.y(series.high[from + i] as number);
  }
  return points;
}

function band(on: CanvasRenderingContext2D, { count, x, low, mean, high }: Points): boolean {
  const path = new Path2D();
  let any = false;
  for (let i = 0; i < count;) {
    if (Number.isNaN(mean[i])) {
      ++i;
      continue;
    }
    const start = i;
    let wide = false;
    while (i < count && !Number.isNaN(mean[i])) {
      wide ||= (low[i] as number) - (high[i] as number) > 0.5;
      ++i;
    }
    if (!wide) continue;
    any = true;
    path.moveTo(x[start] as number, high[start] as number);
    for (let k = start + 1; k < i; ++k) path.lineTo(x[k] as number, high[k] as number);
    for (let k = i - 1; k >= start; --k) path.lineTo(x[k] as number, low[k] as number);
    path.closePath();
  }
  if (any) on.fill(path);
  return any;
}

function line(
  on: CanvasRenderingContext2D,
  { count, x, mean }: Points,
  dots: boolean,
  radius: number,
): void {
  on.beginPath();
  const alone: number[] = [];
  for (let i = 0; i < count; ++i) {
    const y = mean[i] as number;
    if (Number.isNaN(y)) continue;
    const first = i === 0 || Number.isNaN(mean[i - 1]);
    const last = i === count - 1 || Number.isNaN(mean[i + 1]);
    if (first) on.moveTo(x[i] as number, y);
    else on.lineTo(x[i] as number, y);
    if (dots || (first && last)) alone.push(i);
  }
  on.stroke();
  on.setLineDash([]);
  on.beginPath();
  for (const i of alone) {
    on.moveTo((x[i] as number) + radius, mean[i] as number);
    on.arc(x[i] as number, mean[i] as number, radius, 0, 7);
  }
  on.fill();
}

// Series with many points appear when the raster is flushed.
// number: index of the series; from the ninth on lines are dashed.
export function drawSeries(
  on: CanvasRenderingContext2D,
  series: PlotSeries,
  number: number,
  colour: string,
  window: Range,
  at: Projection,
  look: { log: boolean; ratio: number; busy: boolean },
): void {
  const range = within(series, window);
  const all = project(series, range, at, look.log, !look.busy);
  if (all.count === 0) return;
  const dashes = (DASHES[Math.floor(number / 8) % DASHES.length] ?? []).map(
    (part) => part * look.ratio,
  );
  const width = Math.abs((all.x[all.count - 1] as number) - (all.x[0] as number));
  const dots = width / all.count > FEW * look.ratio;
  const opacity = look.busy ? 0.75 : 1;
  const thickness = (look.busy ? 1 : 1.6) * look.ratio;
  // Many overlapping bands would be unreadable.
  if (all.count >= MANY && width / all.count < DENSE * look.ratio) {
    if (!look.busy) raster.band(all, colour, BAND);
    raster.line(all, colour, thickness, dashes);
    return;
  }
  raster.flush(on);
  on.save();
  on.fillStyle = on.strokeStyle = colour;
  on.lineJoin = 'round';
  on.globalAlpha = BAND;
  if (!look.busy) band(on, all);
  on.globalAlpha = opacity;
  on.lineWidth = thickness;
  on.setLineDash(dashes);
  line(on, all, dots, 2.4 * look.ratio);
  on.restore();
}
