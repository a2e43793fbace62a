// The mapping from values to pixels.

import type { Range } from './axes';

// Maps values to canvas pixels.
export interface Projection {
  x: (value: number) => number;
  y: (value: number) => number; // NaN where the axis cannot show it.
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

// Clamps far outside values for the canvas.
const cut = (pixel: number): number => (pixel > 1e6 ? 1e6 : pixel < -1e6 ? -1e6 : pixel);

// The values at the edges of the box are the ends of the ranges.
export function projectionOf(
  { left, top, width, height }: Box,
  [x0, x1]: Range,
  [y0, y1]: Range,
  log: boolean,
): Projection {
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
