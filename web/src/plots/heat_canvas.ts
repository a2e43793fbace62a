// Values by row and x as colors on a canvas, for any number of rows and columns.
//
//   const heat = new HeatCanvas(into, { label, rows, write, ramp: 'sequential', xLabel: 'Step', writeX });
// x: where each column begins; values: row by row, NaN where nothing is.
//   heat.setData(x, values);
//
// Gestures are those of gestures.ts, except that the arrow keys move a cell cursor, whose value is
// announced to screen readers. Enter opens the cell, like a click.

import './plots.css';
import { html } from '../base/dom';
import { hideTip, showTip } from '../charts/chart';
import type { Range } from './axes';
import { RangeGestures } from './gestures';
import { drawAxis, drawNames, type HeatPlace, rowLabels } from './heat_axes';
import type { HeatOptions } from './heat_options';
import { type Cells, columnAt, columnEnd, paintCells, shadesOf } from './heat_paint';
import { HeatScale } from './heat_scale';
import { onThemeChange, palette } from './palette';
import { makeRamp, type Ramp, rangeOf } from './ramp';

export type { HeatOptions };

const AXIS = 26;
const LEAST_HEIGHT = 40;
const MOST_HEIGHT = 16384; // As many rows as the server sends, a pixel each.
const BEYOND = 200; // Extra pixels above and below the window.
const LATER = 200; // Milliseconds until an invisible plot is drawn.
const HELP =
  'Arrow keys move between cells, Enter opens a cell, plus and minus zoom in and out, Escape shows everything.';
const WORDS = ['label', 'bare'] as const; // Options that affect text on the page.
const PLACES = ['view', 'extent', 'cursor']; // Options that do not affect colors.
let heats = 0;

export class HeatCanvas {
  private readonly root = html('figure', { class: 'plot-figure' });
  private readonly caption = html('figcaption', { class: 'plot-head heat-head' });
  private readonly title = html('span', { class: 'plot-title' });
  private readonly showAll = html(
    'button',
    { type: 'button', class: 'plot-tool', hidden: '' },
    'Show all',
  );
  private readonly box: HTMLElement;
  private readonly canvas = html('canvas', { 'aria-hidden': 'true' });
  private readonly area = html('div', { class: 'heat-area' });
  private readonly cell = html('div', { class: 'heat-cell', hidden: '' });
  private readonly line = html('div', { class: 'heat-line', hidden: '' });
  private readonly empty = html('div', { class: 'plot-empty' }, 'Loading …');
  private readonly status = html('div', { class: 'plot-unseen', 'aria-live': 'polite' });
  private readonly scale = new HeatScale();
  private readonly stopTheme: () => void;
  private readonly resized: ResizeObserver;
  private readonly watched: IntersectionObserver;
  private readonly gestures: RangeGestures;
  private cells: Cells = { x: [], values: new Float32Array(), rows: 0 };
  private ramp: Ramp;
  private shades: Uint32Array = new Uint32Array(); // Of the cells.
  private seen: Range = [0, 1];
  private at: { row: number; column: number } | null = null; // The cell under the keyboard cursor.
  private frame = 0;
  private visible = true; // Invisible plots are drawn when nothing moves.
  private late = 0;
  private left = 0; // Width of the row names in pixels.
  private width = 0;
  private sized = ''; // What the canvas size depends on.
  private labelled: { rows: string[]; pixels: number; labels: readonly string[] } | null = null;

  constructor(
    into: HTMLElement,
    private options: HeatOptions,
  ) {
    const help = `heat-help-${++heats}`;
    this.ramp = makeRamp(options.ramp, options.range ?? [0, 1], palette().dark);
    const told = { role: 'group', 'aria-roledescription': 'heat map', 'aria-describedby': help };
    this.box = html('div', { class: 'plot-box heat-box', tabindex: 0, ...told });
    this.caption.append(
      this.title,
      this.scale.element,
      html('span', { class: 'plot-tools' }, this.showAll),
    );
    this.area.append(this.line, this.cell, this.empty);
    this.box.append(this.canvas, this.area);
    this.root.append(
      this.caption,
      this.box,
      this.status,
      html('div', { class: 'plot-unseen', id: help }, HELP),
    );
    into.append(this.root);
    this.showAll.addEventListener('click', () => this.choose(null, true));
    this.gestures = new RangeGestures(this.area, this.box, {
      range: () => this.window,
      extent: () => this.all,
      area: () => this.area.getBoundingClientRect(),
      change: (range, settled) => this.choose(range, settled),
      key: (event) => this.key(event),
    });
    this.listen();
    this.stopTheme = onThemeChange(() => this.recolour());
    this.resized = new ResizeObserver(() => this.redraw());
    this.resized.observe(this.box);
    this.watched = new IntersectionObserver((changes) => this.seenOrNot(changes), {
      rootMargin: '100px',
    });
    this.watched.observe(this.box);
    this.words();
  }

  setData(x: ArrayLike<number>, values: Float32Array): void {
    this.cells = { x, values, rows: this.options.rows.length };
    this.empty.textContent = 'No data';
    this.learnExtent();
    if (this.at && (this.at.row >= this.cells.rows || this.at.column >= x.length)) this.at = null;
    this.recolour();
  }

  setRows(rows: string[]): void {
    this.setOptions({ rows });
  }

  setOptions(change: Partial<HeatOptions>): void {
    this.options = { ...this.options, ...change };
    this.cells.rows = this.options.rows.length;
    const changed = Object.keys(change);
    if (WORDS.some((name) => name in change)) this.words();
    if ('view' in change) this.learnExtent();
    if (changed.every((name) => name === 'cursor')) this.placeLine();
    else if (changed.every((name) => PLACES.includes(name))) this.redraw();
    else this.recolour();
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.late);
    hideTip();
    this.stopTheme();
    this.resized.disconnect();
    this.watched.disconnect();
    this.gestures.destroy();
    this.root.remove();
  }

  // The width of the cells.
  get pixels(): number {
    return this.width;
  }

  get window(): Range {
    return this.options.view ?? this.all;
  }

  private get all(): Range {
    return this.options.extent ?? this.seen;
  }

  private get rowHeight(): number {
    const rows = Math.max(1, this.options.rows.length);
    const wanted = this.options.rowHeight ?? Math.min(18, Math.max(3, 560 / rows));
    return Math.min(Math.max(wanted, LEAST_HEIGHT / rows), MOST_HEIGHT / rows);
  }

  private get height(): number {
    return Math.ceil(this.rowHeight * Math.max(1, this.options.rows.length));
  }

  private words(): void {
    this.title.textContent = this.options.label;
    this.box.setAttribute('aria-label', this.options.label);
    this.caption.hidden = this.options.bare ?? false;
  }

  private learnExtent(): void {
    const { x } = this.cells;
    if (x.length === 0) return;
    const [from, to] = [x[0] as number, columnEnd(this.cells, x.length - 1)];
    if (!Number.isFinite(to - from)) return;
    if (this.options.view) this.seen = [Math.min(from, this.seen[0]), Math.max(to, this.seen[1])];
    else this.seen = to > from ? [from, to] : [from, from + 1];
  }

  private recolour(): void {
    const range = this.options.range ?? rangeOf(this.cells.values, this.options.ramp);
    this.ramp = makeRamp(this.options.ramp, range, palette().dark);
    this.shades = shadesOf(this.cells, this.ramp);
    const holes = this.cells.values.some((value) => Number.isNaN(value));
    this.scale.show(this.ramp, this.options.write, holes);
    this.redraw();
  }

  private choose(view: Range | null, settled: boolean): void {
    this.options.view = view;
    this.redraw();
    this.options.onView?.(view, settled);
  }

  private redraw(): void {
    clearTimeout(this.late);
    if (!this.visible) this.late = window.setTimeout(() => this.draw(true), LATER);
    else if (!this.frame) this.frame = requestAnimationFrame(() => this.draw(false));
  }

  private seenOrNot(changes: IntersectionObserverEntry[]): void {
    const before = this.visible;
    this.visible = changes[changes.length - 1]?.isIntersecting ?? true;
    if (this.visible && !before) this.redraw();
  }

  // The visible part of the canvas plus a margin; everything if that is not much more.
  private span(height: number, whole: boolean): Range {
    if (whole || height < 1000) return [0, height];
    const { top } = this.box.getBoundingClientRect();
    const from = Math.max(0, Math.floor(-top - BEYOND));
    const to = Math.min(height, Math.ceil(innerHeight - top + BEYOND));
    if (from === 0 && to === height) return [0, height];
    this.late = window.setTimeout(() => this.draw(true), LATER);
    return [from, Math.max(from, to)];
  }

  // whole: also the invisible part, which must not delay movement.
  private draw(whole: boolean): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.late);
    this.frame = 0;
    const room = Math.floor(this.box.clientWidth);
    if (room < 60) return;
    const longest = this.options.rows.reduce((most, name) => Math.max(most, name.length), 0);
    this.left = Math.ceil(Math.min(longest * 6.4 + 14, room * 0.32, 260));
    this.width = room - this.left - 12;
    const height = this.height;
    // Very high ones are drawn coarsely: canvases have a size limit.
    const ratio = height * devicePixelRatio > 16000 ? 1 : devicePixelRatio;
    this.size(room, height, ratio);
    const on = this.canvas.getContext('2d');
    if (!on) return;
    const span = this.span(height + AXIS, whole);
    on.setTransform(ratio, 0, 0, ratio, 0, 0);
    on.clearRect(0, span[0], room, span[1] - span[0]);
    this.drawCells(on, ratio, span);
    const place: HeatPlace = {
      left: this.left,
      width: this.width,
      height,
      rowHeight: this.rowHeight,
      window: this.window,
      span,
    };
    drawNames(
      on,
      this.labels(this.left - 8),
      place,
      (row) => row === this.at?.row || row === this.options.shown,
    );
    drawAxis(on, this.options, place);
    this.showAll.hidden = !this.options.view;
    this.empty.hidden = this.cells.x.length > 0 && this.cells.rows > 0;
    this.placeCell();
    this.placeLine();
  }

  private labels(pixels: number): readonly string[] {
    const { rows } = this.options;
    if (this.labelled?.rows !== rows || this.labelled.pixels !== pixels)
      this.labelled = { rows, pixels, labels: rowLabels(rows, pixels) };
    return this.labelled.labels;
  }

  // Setting the size clears a canvas, even if the size is the same.
  private size(room: number, height: number, ratio: number): void {
    const key = [room, height, ratio, this.left, this.width].join();
    if (key === this.sized) return;
    this.sized = key;
    this.canvas.width = Math.round(room * ratio);
    this.canvas.height = Math.round((height + AXIS) * ratio);
    this.canvas.style.width = `${room}px`;
    this.canvas.style.height = `${height + AXIS}px`;
    this.area.style.left = `${this.left}px`;
    this.area.style.width = `${this.width}px`;
    this.area.style.height = `${height}px`;
  }

  private drawCells(on: CanvasRenderingContext2D, ratio: number, span: Range): void {
    if (this.cells.rows === 0 || this.cells.x.length === 0) return;
    const area = {
      width: Math.max(1, Math.round(this.width * ratio)),
      height: Math.round(this.height * ratio),
    };
    const gap = this.rowHeight >= 7 ? Math.round(ratio) : 0;
    const from = Math.round(span[0] * ratio);
    const to = Math.min(area.height, Math.round(span[1] * ratio));
    if (to <= from) return;
    const pixels = paintCells(this.cells, this.shades, this.window, this.ramp, {
      ...area,
      from,
      to,
      gap,
      ground: 0,
    });
    const image = new ImageData(new Uint8ClampedArray(pixels.buffer), area.width);
    on.putImageData(image, Math.round(this.left * ratio), from);
  }

  private listen(): void {
    this.area.addEventListener('pointermove', (event) => this.point(event));
    this.area.addEventListener('pointerleave', () => {
      hideTip();
      this.options.onCursor?.(null);
    });
    this.area.addEventListener('click', (event) => {
      const found = this.gestures.dragged ? null : this.cellAt(event);
      if (!found) return;
      this.at = found;
      this.redraw();
      this.options.onPick?.(found.row, this.cells.x[found.column] ?? 0);
    });
    this.box.addEventListener('focus', () => this.redraw());
    this.box.addEventListener('blur', () => this.redraw());
  }

  private xAt(event: MouseEvent): number {
    const box = this.area.getBoundingClientRect();
    const [from, to] = this.window;
    return from + ((event.clientX - box.left) / Math.max(1, box.width)) * (to - from);
  }

  private cellAt(event: MouseEvent): { row: number; column: number } | null {
    const row = Math.floor(
      (event.clientY - this.area.getBoundingClientRect().top) / this.rowHeight,
    );
    const column = columnAt(this.cells, this.xAt(event));
    return row >= 0 && row < this.cells.rows && column >= 0 ? { row, column } : null;
  }

  private told({ row, column }: { row: number; column: number }): [string, string] {
    const value = this.cells.values[row * this.cells.x.length + column] ?? NaN;
    const words = Number.isNaN(value) ? 'not measured' : this.options.write(value);
    return [
      `${this.options.rows[row] ?? ''}: ${words}`,
      `${this.options.xLabel} ${this.options.writeX(this.cells.x[column] ?? 0)}`,
    ];
  }

  private point(event: PointerEvent): void {
    this.options.onCursor?.(this.xAt(event));
    const found = this.cellAt(event);
    if (found && event.buttons === 0) showTip(event, this.told(found));
    else hideTip();
  }

  private key(event: KeyboardEvent): boolean {
    const { x, rows } = this.cells;
    if (x.length === 0 || rows === 0) return false;
    if (event.key === 'Enter' && this.at) {
      this.options.onPick?.(this.at.row, x[this.at.column] ?? 0);
      return true;
    }
    const page = Math.max(1, Math.round(rows / 10));
    const steps: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      PageUp: [-page, 0],
      PageDown: [page, 0],
      Home: [0, -x.length],
      End: [0, x.length],
    };
    const step = steps[event.key];
    if (!step) return false;
    this.step(step[0], step[1]);
    return true;
  }

  private step(rows: number, columns: number): void {
    const first = Math.max(0, columnAt(this.cells, this.window[0]));
    const { row, column } = this.at ?? { row: 0, column: first };
    const moved = this.at !== null;
    const within = (value: number, end: number): number => Math.max(0, Math.min(end - 1, value));
    this.at = moved
      ? {
          row: within(row + rows, this.cells.rows),
          column: within(column + columns, this.cells.x.length),
        }
      : { row, column };
    this.bringIntoView(this.cells.x[this.at.column] ?? 0, columnEnd(this.cells, this.at.column));
    this.status.textContent = this.told(this.at).join(', ');
    this.redraw();
  }

  private bringIntoView(start: number, end: number): void {
    const [from, to] = this.window;
    if (start >= from && end <= to) return;
    const by = start < from ? start - from : end - to;
    this.choose([from + by, to + by], true);
  }

  private placeCell(): void {
    this.cell.hidden = this.at === null || !this.box.matches(':focus');
    if (this.at === null) return;
    const [from, to] = this.window;
    const place = (x: number): number => ((x - from) / (to - from)) * this.width;
    const [start, end] = [
      place(this.cells.x[this.at.column] ?? 0),
      place(columnEnd(this.cells, this.at.column)),
    ];
    this.cell.style.left = `${start}px`;
    this.cell.style.width = `${Math.max(5, end - start)}px`;
    this.cell.style.top = `${this.at.row * this.rowHeight}px`;
    this.cell.style.height = `${Math.max(5, this.rowHeight)}px`;
  }

  private placeLine(): void {
    const [from, to] = this.window;
    const cursor = this.options.cursor ?? null;
    const part = cursor === null ? -1 : (cursor - from) / (to - from);
    this.line.hidden = !(part >= 0 && part <= 1);
    this.line.style.transform = `translateX(${part * this.width}px)`;
  }
}
