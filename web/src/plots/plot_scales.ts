// The y axis that fits the visible data, and the mapping from values to pixels.

import uPlot from 'uplot';
import { type Range, xTexts, xTicks, yTexts, yTicks } from './axes';
import { palette } from './palette';
import type { PlotOptions } from './plot_options';
import { bounds, type PlotSeries, type Projection } from './series_paths';

// Thresholds are always visible. The axis starts at zero if the data starts close to it.
function aroundData(shown: readonly PlotSeries[], window: Range, options: PlotOptions): Range {
  const log = options.log ?? false;
  let [low, high] = bounds(shown, window, log) ?? (log ? [0.1, 10] : [0, 1]);
  for (const { y } of options.thresholds ?? []) {
    if (!Number.isFinite(y) || (log && y <= 0)) continue;
    [low, high] = [Math.min(low, y), Math.max(high, y)];
  }
  if (log) return [low / 1.3, high * 1.3];
  const slack = high > low ? (high - low) * 0.06 : Math.abs(high) * 0.1 || 1;
  return [low >= 0 && low < high * 0.5 ? 0 : low - slack, high + slack];
}

export function yRange(shown: readonly PlotSeries[], window: Range, options: PlotOptions): Range {
  const [least, most] = aroundData(shown, window, options);
  const [bottom, top] = options.y ?? [null, null];
  let [low, high] = [bottom ?? least, top ?? most];
  // Ranges too small for floating point would hang an axis.
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (!(high - low > size * 1e-12))
    [low, high] = [low - (size * 1e-6 || 1), high + (size * 1e-6 || 1)];
  return Number.isFinite(high - low) ? [low, high] : [-1e300, 1e300];
}

const rangeOf = (u: uPlot, scale: 'x' | 'y'): Range => [
  u.scales[scale]?.min ?? 0,
  u.scales[scale]?.max ?? 1,
];

// Clamps far outside values for the canvas.
const cut = (pixel: number): number => (pixel > 1e6 ? 1e6 : pixel < -1e6 ? -1e6 : pixel);

// In pixels of the canvas.
export function projection(u: uPlot, log: boolean): Projection {
  const { left, top, width, height } = u.bbox;
  const [[x0, x1], [y0, y1]] = [rangeOf(u, 'x'), rangeOf(u, 'y')];
  const perX = width / (x1 - x0);
  const x = (value: number): number => cut(left + (value - x0) * perX);
  if (!log) {
    const perY = height / (y1 - y0);
    return {
      x,
      y: (value) => (Number.isFinite(value) ? cut(top + height - (value - y0) * perY) : NaN),
    };
  }
  const foot = Math.log10(y0);
  const perY = height / (Math.log10(y1) - foot);
  return {
    x,
    y: (value) =>
      value > 0 && value < Infinity ? cut(top + height - (Math.log10(value) - foot) * perY) : NaN,
  };
}

// options: read again on every draw.
export function chartOptions(
  width: number,
  height: number,
  options: () => PlotOptions,
  hooks: uPlot.Hooks.Arrays,
): uPlot.Options {
  const colours = palette();
  const axis = {
    stroke: colours.quiet,
    font: `12px ${colours.font}`,
    grid: { stroke: colours.line, width: 1 },
    ticks: { show: false },
  };
  const pixels = (device: number): number => device / uPlot.pxRatio;
  const time = (): boolean => options().time ?? false;
  const log = (): boolean => options().log ?? false;
  const asGiven = (_: uPlot, min: number, max: number): uPlot.Range.MinMax => [min, max];
  return {
    width,
    height,
    padding: [10, 12, 0, 0],
    legend: { show: false },
    cursor: { show: false }, // uPlot's cursor is replaced by ours, which is shared between plots.
    scales: {
      x: { time: false, auto: false, range: asGiven },
      y: { auto: false, distr: log() ? 3 : 1, range: asGiven },
    },
    series: [{}, { paths: () => null, points: { show: false } }],
    axes: [
      {
        ...axis,
        size: 22,
        gap: 4,
        splits: (u) => xTicks(rangeOf(u, 'x'), time(), Math.max(2, pixels(u.bbox.width) / 70)),
        values: (_, at) => xTexts(at, time()),
      },
      {
        ...axis,
        size: 62,
        gap: 6,
        splits: (u) => yTicks(rangeOf(u, 'y'), log(), pixels(u.bbox.height) / 36),
        filter: (_, at) => at, // On log axes uPlot would skip some.
        values: (_, at) => yTexts(at, options().unit ?? '', log()),
      },
    ],
    hooks,
  };
}
