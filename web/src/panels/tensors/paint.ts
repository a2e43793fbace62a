// Values as pixels.

import { BROKEN, type Ramp, type RampKind, shadeOf } from '../../plots/ramp';

export interface Picture {
  readonly rows: number;
  readonly columns: number;
  value: (row: number, column: number) => number;
}

// Diverging if there are values on both sides of zero.
export const kindFor = ([low, high]: readonly [number, number]): RampKind =>
  low < 0 && high > 0 ? 'diverging' : 'sequential';

// NaN and infinities must not look like small or large numbers.
export function paint(
  canvas: HTMLCanvasElement,
  { rows, columns, value }: Picture,
  ramp: Ramp,
): void {
  canvas.width = Math.max(1, columns);
  canvas.height = Math.max(1, rows);
  const context = canvas.getContext('2d');
  if (!context) return;
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      const at = value(row, column);
      pixels[row * columns + column] = Number.isFinite(at) ? shadeOf(ramp, ramp.place(at)) : BROKEN;
    }
  }
  context.putImageData(image, 0, 0);
}

// channels: one (gray) or three (red, green, blue) of the same size; range: the values of black and
// full color.
export function paintColours(
  canvas: HTMLCanvasElement,
  channels: readonly Picture[],
  [low, high]: readonly [number, number],
): void {
  const first = channels[0];
  if (!first) return;
  canvas.width = Math.max(1, first.columns);
  canvas.height = Math.max(1, first.rows);
  const context = canvas.getContext('2d');
  if (!context) return;
  const image = context.createImageData(canvas.width, canvas.height);
  const scale = 255 / (high - low || 1);
  for (let row = 0; row < first.rows; ++row) {
    for (let column = 0; column < first.columns; ++column) {
      const at = 4 * (row * first.columns + column);
      for (let k = 0; k < 3; ++k) {
        const value = (channels[k] ?? first).value(row, column);
        image.data[at + k] = Number.isNaN(value) ? (k === 1 ? 0 : 255) : (value - low) * scale;
      }
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}

export function rangeOfPicture({ rows, columns, value }: Picture): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      const at = value(row, column);
      if (!Number.isFinite(at)) continue;
      if (at < low) low = at;
      if (at > high) high = at;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}
