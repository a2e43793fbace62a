// Scales and axes of a plot, for uPlot.

import uPlot from 'uplot';
import { fittingTexts, type Range, xTexts, xTicks, yAxisWidth, yTexts, yTicks } from './axes';
import { palette } from './palette';
import type { PlotOptions } from './plot_options';
import { type Projection, projectionOf } from './projection';

const RIGHT = 12; // Pixels beside the series.

const rangeOf = (u: uPlot, scale: 'x' | 'y'): Range => [
  u.scales[scale]?.min ?? 0,
  u.scales[scale]?.max ?? 1,
];

// In pixels of the canvas.
export const projection = (u: uPlot, log: boolean): Projection =>
  projectionOf(u.bbox, rangeOf(u, 'x'), rangeOf(u, 'y'), log);

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
  const whole = (): boolean => !options().fractions;
  const log = (): boolean => options().log ?? false;
  const asGiven = (_: uPlot, min: number, max: number): uPlot.Range.MinMax => [min, max];
  return {
    width,
    height,
    padding: [10, RIGHT, 0, 0],
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
        splits: (u) =>
          xTicks(rangeOf(u, 'x'), time(), Math.max(2, pixels(u.bbox.width) / 70), whole()),
        values: (u, at) =>
          fittingTexts(
            xTexts(at, time()),
            at.map((value) => u.valToPos(value, 'x')),
            pixels(u.bbox.width) + RIGHT,
          ),
      },
      {
        ...axis,
        size: (_, texts) => yAxisWidth(texts),
        gap: 6,
        splits: (u) => yTicks(rangeOf(u, 'y'), log(), pixels(u.bbox.height) / 36),
        filter: (_, at) => at, // On log axes uPlot would skip some.
        values: (_, at) => yTexts(at, options().unit ?? '', log()),
      },
    ],
    hooks,
  };
}
