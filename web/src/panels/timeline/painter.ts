// Draws the slices of all visible rows.
//
// Every row is first a line of pixels, one pixel high, filled slice by slice; the lines of a lane
// are then stretched to their height at once. A frame costs one write per slice and one copy per
// lane, with or without a GPU. For 90,000 slices without a GPU: 3 ms. One rectangle per slice takes
// 90 ms, and software WebGL takes seconds.

import { type Lane, ROW_HEIGHT, rowsOf } from './lanes';
import type { Names } from './model/names';
import { densityAt, densityOf, type Palette } from './model/palette';
import type { Cover, TileStore } from './tile_store';

export interface Screen {
  readonly from: number; // Microseconds at the left edge.
  readonly to: number;
  readonly width: number; // Device pixels, like everything drawn in this folder.
  readonly height: number;
  readonly ratio: number; // Device pixels per CSS pixel.
  readonly scroll: number; // CSS pixels above the upper edge.
}

export interface Word {
  x: number;
  width: number;
  name: number;
  y: number; // CSS pixels: the row's top, from the top of all lanes.
}

const LEAST_WORD = 26; // Minimum width in CSS pixels for a label.
const MOST_WORDS = 1500;
const LEAST_EDGE = 4; // Pixels; a thinner slice would only be an edge.

export class Painter {
  private readonly strip = document.createElement('canvas');
  private image: ImageData | null = null;
  private pixels = new Uint32Array();
  readonly words: Word[] = [];
  // Where the steps of the topmost track with steps begin, in device pixels.
  readonly steps: number[] = [];
  private stepRow = -1;

  constructor(
    private readonly tiles: TileStore,
    private readonly names: Names,
  ) {}

  // lanes: the visible ones. Afterwards `words` and `steps` belong to this picture.
  paint(context: CanvasRenderingContext2D, screen: Screen, lanes: Lane[], palette: Palette): void {
    this.words.length = 0;
    this.steps.length = 0;
    this.stepRow = -1;
    const lines = lanes.reduce((sum, lane) => sum + lane.rows, 0);
    if (lines === 0 || screen.width === 0) return;
    const strip = this.room(screen.width, lines);
    if (!strip || !this.image) return;
    let line = 0;
    const covers = new Map<number, Cover[]>();
    for (const lane of lanes) {
      for (let row = 0; row < lane.rows; ++row, ++line)
        this.fillLine(line, lane, row, screen, palette, covers);
    }
    strip.putImageData(this.image, 0, 0, 0, 0, screen.width, lines);
    context.imageSmoothingEnabled = false;
    this.stretch(context, screen, lanes, palette);
  }

  // An empty picture for the lines. It only grows.
  private room(width: number, lines: number): CanvasRenderingContext2D | null {
    const context = this.strip.getContext('2d', { willReadFrequently: true });
    if (!context) return null;
    if (!this.image || this.image.width !== width || this.image.height < lines) {
      this.strip.width = width;
      this.strip.height = Math.ceil(lines / 32) * 32;
      this.image = context.createImageData(width, this.strip.height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    } else {
      this.pixels.fill(0, 0, width * lines);
    }
    return context;
  }

  private fillLine(
    line: number,
    lane: Lane,
    row: number,
    screen: Screen,
    palette: Palette,
    covers: Map<number, Cover[]>,
  ): void {
    const rows = rowsOf(lane, row);
    const pixel = (screen.to - screen.from) / screen.width;
    lane.tracks.forEach((track, i) => {
      if (lane.kind === 'track' && i > 0) return;
      const block = this.tiles.blockNumber(track.id);
      let cover = covers.get(block);
      if (!cover)
        covers.set(block, (cover = this.tiles.cover(track.id, screen.from, screen.to, pixel)));
      const key = rows[i] ?? 0;
      const y =
        lane.kind === 'track' && lane.open
          ? lane.y + row * ROW_HEIGHT
          : lane.kind === 'track'
            ? lane.y
            : NaN;
      const dimmed = !(this.names.wanted?.track(track) ?? true);
      cover.forEach((part, j) =>
        this.fillPart(line, key, part, j === 0, y, screen, palette, dimmed),
      );
    });
  }

  private fillPart(
    line: number,
    row: number,
    part: Cover,
    first: boolean,
    y: number,
    screen: Screen,
    palette: Palette,
    dimmed: boolean, // Nothing of the track matches the search.
  ): void {
    const { tile } = part;
    const range = tile.row(row);
    if (!range) return;
    const { pixels, names } = this;
    const { width } = screen;
    const scale = width / (screen.to - screen.from);
    const base = line * width;
    const left = Math.max(0, Math.floor((part.from - screen.from) * scale));
    const right = Math.min(width, Math.ceil((part.to - screen.from) * scale));
    const leastWord = LEAST_WORD * screen.ratio;
    const { searching, wanted } = names;
    for (let i = tile.firstAfter(part.from, range[0], range[1]); i < range[1]; ++i) {
      const start = tile.start[i] ?? 0;
      if (start >= part.to) break;
      const name = tile.name[i] ?? 0;
      const count = tile.count[i] ?? 0;
      const shade = names.shades[name] ?? 0;
      const end = tile.end[i] ?? 0;
      const dim =
        searching &&
        (dimmed || !names.found[name] || (count === 1 && !wanted?.duration(end - start)));
      const begin = Math.floor((start - screen.from) * scale);
      const x0 = begin < left ? left : begin;
      const stop = Math.floor((end - screen.from) * scale);
      const x1 = stop > right ? right : stop > x0 ? stop : x0 + 1;
      if (count > 1) {
        const at = densityAt(shade, densityOf(count));
        const colour = dim ? (palette.dimDensity[at] ?? 0) : (palette.density[at] ?? 0);
        for (let x = x0; x < x1; ++x) pixels[base + x] = colour;
        continue;
      }
      const colour = dim ? (palette.dim[shade] ?? 0) : (palette.fill[shade] ?? 0);
      if (x1 - x0 > 24) pixels.fill(colour, base + x0, base + x1);
      else for (let x = x0; x < x1; ++x) pixels[base + x] = colour;
      if (begin >= left && begin < right && (end - start) * scale >= LEAST_EDGE) {
        pixels[base + begin] = dim ? (palette.dimEdge[shade] ?? 0) : (palette.edge[shade] ?? 0);
      }
      // A slice that continues in the next part is labeled in the first.
      if (begin < left && !first) continue;
      if (names.steps[name] && begin >= 0) this.addStep(row, begin);
      const seen = Math.min(width, stop) - x0;
      if (seen >= leastWord && y === y && !dim && this.words.length < MOST_WORDS) {
        this.words.push({ x: x0, width: seen, name, y });
      }
    }
  }

  private addStep(row: number, x: number): void {
    if (this.stepRow === -1) this.stepRow = row;
    if (this.stepRow === row) this.steps.push(x);
  }

  private stretch(
    context: CanvasRenderingContext2D,
    screen: Screen,
    lanes: Lane[],
    palette: Palette,
  ): void {
    let line = 0;
    context.fillStyle = palette.css.card;
    for (const lane of lanes) {
      if (lane.rows === 0) continue;
      const group = lane.kind === 'group';
      const row = Math.round((group ? lane.height - 8 : ROW_HEIGHT) * screen.ratio);
      const y = Math.round((lane.y - screen.scroll + (group ? 4 : 0)) * screen.ratio);
      context.globalAlpha = group ? 0.75 : 1;
      context.drawImage(
        this.strip,
        0,
        line,
        screen.width,
        lane.rows,
        0,
        y,
        screen.width,
        row * lane.rows,
      );
      context.globalAlpha = 1;
      const gap = Math.max(1, Math.round(screen.ratio));
      for (let i = 1; !group && i <= lane.rows; ++i)
        context.fillRect(0, y + i * row - gap, screen.width, gap);
      line += lane.rows;
    }
  }
}
