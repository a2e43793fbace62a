// A matrix as an image: one color per value, and the number under the pointer or keyboard cursor.

import { html } from '../../base/dom';
import { figure } from '../../base/format';
import { hideTip, showTip } from '../../charts/chart';
import { HeatScale } from '../../plots/heat_scale';
import { onThemeChange, palette } from '../../plots/palette';
import { makeRamp } from '../../plots/ramp';
import { kindFor, paint, type Picture, rangeOfPicture } from './paint';
import type { Axis } from './slices';
import { placeOf, writeValue } from './value';

const LARGEST = 22; // Pixels per value.
const READABLE = 11; // Pixels that a name beside a row needs.
const NAMES_SHARE = 0.22; // Of the width, for the names of rows; at most
const NAMES_WIDTH = 112; // pixels.

// What rows and columns are called, instead of their numbers.
export interface Names {
  readonly row: string; // 'query'
  readonly column: string;
  readonly rows: readonly string[]; // Empty: they have no names.
  readonly columns: readonly string[];
}

const nameOf = (names: readonly string[], place: number): string =>
  names[place] === undefined ? String(place) : `${place} “${names[place]}”`;

export class ValueImage {
  private readonly canvas: HTMLCanvasElement;
  private readonly cursor = html('div', { class: 'tensors-cursor', hidden: '' });
  private readonly frame: HTMLElement;
  private readonly above = html('div', { class: 'tensors-above', 'aria-hidden': 'true' });
  private readonly beside = html('div', { class: 'tensors-beside', 'aria-hidden': 'true' });
  private readonly said = html('div', { class: 'unseen', 'aria-live': 'polite' });
  private readonly scale = new HeatScale();
  private readonly stopTheme: () => void;
  private readonly resized: ResizeObserver;
  private row = 0;
  private column = 0;

  constructor(
    into: HTMLElement,
    label: string,
    private readonly picture: Picture,
    private readonly rows: Axis,
    private readonly columns: Axis,
    private readonly names: Names | null = null,
  ) {
    this.canvas = html('canvas', {
      class: 'tensors-image',
      role: 'img',
      'aria-label': `${label}. Arrow keys move between values.`,
      tabindex: 0,
    });
    this.frame = html('div', { class: 'tensors-frame' }, this.canvas, this.cursor);
    const framed = names
      ? html('div', { class: 'tensors-named' }, this.above, this.beside, this.frame)
      : this.frame;
    into.append(
      html('div', { class: 'tensors-scale' }, this.scale.element),
      html('div', { class: 'tensors-scroll' }, framed),
      this.said,
    );
    this.canvas.addEventListener('mousemove', (event) => this.hover(event));
    this.canvas.addEventListener('mouseleave', hideTip);
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener('blur', () => (this.cursor.hidden = true));
    this.stopTheme = onThemeChange(() => this.paint());
    this.resized = new ResizeObserver(() => this.fit(into.clientWidth));
    this.resized.observe(into);
    this.paint();
    this.fit(into.clientWidth);
  }

  destroy(): void {
    hideTip();
    this.stopTheme();
    this.resized.disconnect();
    this.frame.remove();
  }

  private paint(): void {
    const range = rangeOfPicture(this.picture);
    const ramp = makeRamp(kindFor(range), range, palette().dark);
    paint(this.canvas, this.picture, ramp);
    this.scale.show(ramp, figure, false);
  }

  // Whole pixels per value if there is room, for sharp edges. A long, thin matrix is stretched to
  // be visible.
  private fit(width: number): void {
    const { rows, columns } = this.picture;
    const room = width - 2 - (this.names ? Math.min(NAMES_WIDTH, NAMES_SHARE * width) : 0);
    const wide = Math.max(1, Math.min(LARGEST, Math.floor(room / Math.max(1, columns))));
    const tall = Math.max(1, Math.min(LARGEST, Math.floor(520 / Math.max(1, rows))));
    const even = Math.min(wide, tall);
    const thin = Math.max(rows, columns) / Math.max(1, Math.min(rows, columns)) > 12;
    this.canvas.style.width = `${columns * (thin ? wide : even)}px`;
    this.canvas.style.height = `${rows * (thin ? tall : even)}px`;
    this.beside.style.maxWidth = `${Math.min(NAMES_WIDTH, NAMES_SHARE * width)}px`;
    this.write(this.beside, this.names?.rows ?? [], this.rows, thin ? tall : even);
    this.write(this.above, this.names?.columns ?? [], this.columns, thin ? wide : even);
    this.place();
  }

  // Names where there is room for them; the pointer has them always.
  private write(into: HTMLElement, names: readonly string[], axis: Axis, pixels: number): void {
    into.hidden = names.length === 0 || pixels < READABLE;
    if (into.hidden) return into.replaceChildren();
    into.style.setProperty('--cell', `${pixels}px`);
    into.replaceChildren(
      ...Array.from({ length: axis.length }, (_, i) =>
        html('span', {}, names[placeOf(axis, i)] ?? ''),
      ),
    );
  }

  private words(): string[] {
    const value = writeValue(this.picture.value(this.row, this.column));
    const [row, column] = [placeOf(this.rows, this.row), placeOf(this.columns, this.column)];
    const { names } = this;
    if (!names) return [value, `row ${row}, column ${column}`];
    return [
      value,
      `${names.row} ${nameOf(names.rows, row)}, ${names.column} ${nameOf(names.columns, column)}`,
    ];
  }

  private hover(event: MouseEvent): void {
    const box = this.canvas.getBoundingClientRect();
    this.moveTo(
      Math.floor(((event.clientY - box.top) / box.height) * this.picture.rows),
      Math.floor(((event.clientX - box.left) / box.width) * this.picture.columns),
    );
    showTip(event, this.words());
  }

  private moveTo(row: number, column: number): void {
    this.row = Math.max(0, Math.min(this.picture.rows - 1, row));
    this.column = Math.max(0, Math.min(this.picture.columns - 1, column));
  }

  private key(event: KeyboardEvent): void {
    const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[
      event.key
    ];
    if (!by) return;
    event.preventDefault();
    this.moveTo(this.row + (by[0] ?? 0), this.column + (by[1] ?? 0));
    this.cursor.hidden = false;
    this.place();
    this.said.textContent = this.words().join(', ');
  }

  private place(): void {
    const [wide, tall] = [
      this.canvas.clientWidth / this.picture.columns,
      this.canvas.clientHeight / this.picture.rows,
    ];
    this.cursor.style.left = `${this.column * wide}px`;
    this.cursor.style.top = `${this.row * tall}px`;
    this.cursor.style.width = `${wide}px`;
    this.cursor.style.height = `${tall}px`;
  }
}
