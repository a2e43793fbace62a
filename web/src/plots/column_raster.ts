// Draws lines and bands of many points by pixel column. Without a GPU, a canvas path with a point
// per pixel takes ten times as long, and a page of moving plots has a dozen of them in every frame.
//
//   raster.begin(left, top, width, height);   // Pixels of the canvas.
//   raster.band(points, colour, 0.24);
//   raster.line(points, colour, 1.6, []);
//   raster.flush(canvas);                     // Lays what was drawn onto it.

import { Columns, mixed } from './raster_columns';

export interface Points {
  count: number;
  x: Float64Array; // Pixels of the canvas; rising.
  low: Float64Array;
  mean: Float64Array; // NaN: a gap in the line.
  high: Float64Array;
}

const known = new Map<string, number>();

// As in ImageData, without opacity. Colors come from style sheets, in any notation.
function packed(colour: string): number {
  const found = known.get(colour);
  if (found !== undefined) return found;
  const on = new OffscreenCanvas(1, 1).getContext('2d');
  if (!on) return 0;
  on.fillStyle = colour;
  on.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = on.getImageData(0, 0, 1, 1).data;
  const value = (b << 16) | (g << 8) | r;
  known.set(colour, value);
  return value;
}

class ColumnRaster {
  private readonly canvas = document.createElement('canvas');
  private readonly centre = new Columns(); // Of the line, or of the band's upper edge.
  private readonly edge = new Columns(); // The band's lower edge.
  private on: CanvasRenderingContext2D | null = null;
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(1);
  private left = 0;
  private top = 0;
  private width = 0;
  private height = 0;
  private first = 0; // Range of the rows that were drawn.
  private end = 0;

  begin(left: number, top: number, width: number, height: number): void {
    [this.left, this.top, this.width, this.height] = [
      Math.round(left),
      Math.round(top),
      Math.round(width),
      Math.round(height),
    ];
    if (this.image.width !== this.width || this.image.height < this.height) {
      this.image = new ImageData(Math.max(1, this.width), Math.max(1, this.height));
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.clean();
  }

  band({ count, x, low, mean, high }: Points, colour: string, opacity: number): void {
    this.trace(this.centre, count, x, high, mean);
    this.trace(this.edge, count, x, low, mean);
    const ink = packed(colour);
    for (let column = 0; column < this.width; ++column) {
      const from = this.centre.low[column] as number;
      const to = this.edge.high[column] as number;
      if (to - from > 0.5) this.fill(column, from, to, 1, 1, ink, opacity);
    }
  }

  // dashes: alternating numbers of columns with and without ink; empty: solid.
  line(
    { count, x, mean }: Points,
    colour: string,
    thickness: number,
    dashes: readonly number[],
  ): void {
    this.trace(this.centre, count, x, mean, mean);
    const ink = packed(colour);
    const [dash = 1, gap = 0] = dashes;
    const reach = Math.ceil(thickness / 2); // Columns that the ink of a steep slope comes from.
    for (let column = 0; column < this.width; ++column) {
      if (gap > 0 && column % (dash + gap) >= dash) continue;
      const low = this.centre.low[column] as number;
      const high = this.centre.high[column] as number;
      if (low > high) continue;
      // A slope has the given thickness across, and its steep edges are soft.
      // It ends where the line turns or ends, however steep it is.
      const slope = this.centre.isSlope(column);
      const rise = slope ? high - low : 0;
      const more = (thickness * Math.sqrt(1 + rise * rise)) / 2;
      const least = slope ? this.centre.lowest(column, reach) - thickness / 2 : -Infinity;
      const most = slope ? this.centre.highest(column, reach) + thickness / 2 : Infinity;
      const above = low - more < least;
      const below = high + more > most;
      this.fill(
        column,
        above ? least : low - more,
        below ? most : high + more,
        above ? 1 : 1 + rise,
        below ? 1 : 1 + rise,
        ink,
        1,
      );
    }
  }

  flush(onto: CanvasRenderingContext2D): void {
    const rows = this.end - this.first;
    if (rows <= 0) return;
    if (!this.on || this.canvas.width < this.width || this.canvas.height < this.height) {
      this.canvas.width = Math.max(this.canvas.width, this.width);
      this.canvas.height = Math.max(this.canvas.height, this.height);
      this.on = this.canvas.getContext('2d', { willReadFrequently: true });
    }
    this.on?.putImageData(this.image, 0, 0, 0, this.first, this.width, rows);
    const { width, first, left, top } = this;
    onto.drawImage(this.canvas, 0, first, width, rows, left, top + first, width, rows);
    this.clean();
  }

  private clean(): void {
    this.pixels.fill(0, this.first * this.image.width, this.end * this.image.width);
    [this.first, this.end] = [this.image.height, 0];
  }

  // broken: there is no point where it is NaN.
  private trace(
    into: Columns,
    count: number,
    x: Float64Array,
    y: Float64Array,
    broken: Float64Array,
  ): void {
    const { left, top, width } = this;
    into.reset(width);
    let before = -1;
    for (let i = 0; i < count; ++i) {
      const here = y[i] as number;
      if (here !== here || (broken[i] as number) !== (broken[i] as number)) {
        before = -1;
        continue;
      }
      const from = before < 0 ? i : before;
      const x0 = (x[from] as number) - left;
      const x1 = (x[i] as number) - left;
      if (x1 >= x0) into.segment(x0, (y[from] as number) - top, x1, here - top, width);
      before = i;
    }
  }

  // From one height to another, with this many fading pixels at both ends.
  private fill(
    column: number,
    from: number,
    to: number,
    upper: number,
    lower: number,
    ink: number,
    opacity: number,
  ): void {
    const start = from - 0.5;
    const stop = to + 0.5;
    const first = Math.max(0, Math.floor(start));
    const end = Math.min(this.height, Math.ceil(stop));
    if (first < this.first) this.first = first;
    if (end > this.end) this.end = end;
    const full = Math.min(end, Math.max(first, Math.ceil(start + upper - 0.5)));
    const fullEnd = Math.min(end, Math.max(full, Math.floor(stop - lower + 0.5)));
    this.soften(column, first, full, start, stop, upper, lower, ink, opacity);
    this.cover(column, full, fullEnd, ink, opacity);
    this.soften(column, fullEnd, end, start, stop, upper, lower, ink, opacity);
  }

  private soften(
    column: number,
    from: number,
    to: number,
    start: number,
    stop: number,
    upper: number,
    lower: number,
    ink: number,
    opacity: number,
  ): void {
    for (let y = from; y < to; ++y) {
      const above = (y + 0.5 - start) / upper;
      const below = (stop - y - 0.5) / lower;
      const covered = above < below ? above : below;
      if (covered > 0)
        this.blend(y * this.width + column, ink, covered < 1 ? covered * opacity : opacity);
    }
  }

  private cover(column: number, from: number, to: number, ink: number, opacity: number): void {
    const { pixels, width } = this;
    const solid = ((Math.round(opacity * 255) << 24) | ink) >>> 0;
    const end = to * width + column;
    for (let at = from * width + column; at < end; at += width) {
      if (opacity === 1 || pixels[at] === 0) pixels[at] = solid;
      else this.blend(at, ink, opacity);
    }
  }

  private blend(at: number, ink: number, opacity: number): void {
    const below = this.pixels[at] as number;
    const under = below >>> 24;
    const over = (opacity * 255 + 0.5) | 0;
    if (under === 0) {
      this.pixels[at] = ((over << 24) | ink) >>> 0;
    } else if (under === 255) {
      this.pixels[at] = (0xff000000 | mixed(ink, below, over)) >>> 0;
    } else {
      const all = over + (under * (255 - over)) / 255;
      this.pixels[at] =
        ((Math.round(all) << 24) | mixed(ink, below, Math.round((over * 255) / all))) >>> 0;
    }
  }
}

// Shared by all plots, one after the other.
export const raster = new ColumnRaster();
