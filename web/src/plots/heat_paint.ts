// Fills the pixels of a heat map: every pixel shows one cell, without blending.

import type { Range } from './axes';
import { BROKEN, type Ramp, shadeOf } from './ramp';

export interface Cells {
  x: ArrayLike<number>; // Where each column begins; rising.
  values: Float32Array; // Row by row.
  rows: number;
}

export interface Area {
  width: number; // Pixels.
  height: number; // Of all rows.
  from: number; // The rows of pixels to paint.
  to: number;
  gap: number; // Pixels between rows.
  ground: number; // Its colour, as in ImageData.
}

export const columnsOf = ({ x }: Cells): number => x.length;

// Where a column ends: at the next one. The last is as wide as the one before it.
export function columnEnd({ x }: Cells, column: number): number {
  const next = x[column + 1];
  if (next !== undefined) return next;
  const here = x[column] ?? 0;
  return here + (column > 0 ? here - (x[column - 1] ?? 0) : 1);
}

// -1: before the first or after the last.
export function columnAt(cells: Cells, at: number): number {
  const { x } = cells;
  let [from, to] = [0, x.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((x[middle] as number) <= at) from = middle + 1;
    else to = middle;
  }
  return from > 0 && at < columnEnd(cells, from - 1) ? from - 1 : -1;
}

function columnsByPixel(cells: Cells, [from, to]: Range, width: number): Int32Array {
  const columns = new Int32Array(width);
  for (let i = 0; i < width; ++i)
    columns[i] = columnAt(cells, from + ((i + 0.5) / width) * (to - from));
  return columns;
}

// Of the rows that share a pixel, the value farthest from zero.
function cellValue({ values, x }: Cells, first: number, end: number, column: number): number {
  let found = values[first * x.length + column] ?? NaN;
  for (let row = first + 1; row < end; ++row) {
    const value = values[row * x.length + column] ?? NaN;
    if (Number.isNaN(found) || Math.abs(value) > Math.abs(found)) found = value;
  }
  return found;
}

const packed = ([r, g, b]: readonly [number, number, number]): number =>
  (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;

function shade(ramp: Ramp, value: number, nothing: number): number {
  if (Number.isNaN(value)) return nothing;
  return Number.isFinite(value) ? shadeOf(ramp, ramp.place(value)) : BROKEN;
}

// The color of every cell, computed once and not in every frame.
export function shadesOf({ values }: Cells, ramp: Ramp): Uint32Array {
  const nothing = packed(ramp.nothing);
  const shades = new Uint32Array(values.length);
  for (let i = 0; i < values.length; ++i) shades[i] = shade(ramp, values[i] as number, nothing);
  return shades;
}

// Fills a line with the row; returns whether it has missing cells.
function paintLine(
  line: Uint32Array,
  shades: Uint32Array,
  at: number,
  columns: Int32Array,
  ground: number,
  nothing: number,
): boolean {
  let holes = false;
  for (let i = 0; i < line.length; ++i) {
    const column = columns[i] as number;
    const colour = column < 0 ? ground : (shades[at + column] as number);
    holes ||= colour === nothing;
    line[i] = colour;
  }
  return holes;
}

// Rows less than a pixel high share one.
function joinedRows(cells: Cells, ramp: Ramp, first: number, end: number): Uint32Array {
  const nothing = packed(ramp.nothing);
  return Uint32Array.from(cells.x, (_, column) =>
    shade(ramp, cellValue(cells, first, end, column), nothing),
  );
}

// The pixels of the lines from area.from to area.to, as in ImageData. shades: from shadesOf().
export function paintCells(
  cells: Cells,
  shades: Uint32Array,
  window: Range,
  ramp: Ramp,
  area: Area,
): Uint32Array<ArrayBuffer> {
  const { width, height, from, to, ground } = area;
  const pixels = new Uint32Array(width * Math.max(1, to - from));
  const columns = columnsByPixel(cells, window, width);
  const line = new Uint32Array(width);
  const nothing = packed(ramp.nothing);
  const hatch = packed(ramp.hatch);
  const perRow = height / Math.max(1, cells.rows);
  for (let y = from; y < to;) {
    const row = Math.min(cells.rows - 1, Math.floor(y / perRow + 1e-9));
    const end = Math.min(height, Math.max(y + 1, Math.round((row + 1) * perRow)));
    const rowsEnd = Math.max(row + 1, Math.min(cells.rows, Math.ceil(end / perRow - 1e-9)));
    const joined = perRow < 1 && rowsEnd > row + 1;
    const holes = joined
      ? paintLine(line, joinedRows(cells, ramp, row, rowsEnd), 0, columns, ground, nothing)
      : paintLine(line, shades, row * cells.x.length, columns, ground, nothing);
    const filled = end - Math.round(row * perRow) > area.gap + 2 ? end - area.gap : end;
    for (; y < filled && y < to; ++y) {
      const at = (y - from) * width;
      pixels.set(line, at);
      if (!holes) continue;
      for (let i = 5 - (y % 6); i < width; i += 6) if (line[i] === nothing) pixels[at + i] = hatch;
    }
    if (y < end && y < to)
      pixels.fill(ground, (y - from) * width, (Math.min(end, to) - from) * width);
    y = end;
  }
  return pixels;
}
