// Planes behind each other, one for each layer, colored by activation. Turned by dragging and by the
// arrow keys.

import { html } from '../../base/dom';
import { figure } from '../../base/format';
import { hideTip, showTip } from '../../charts/chart';
import { palette } from '../../plots/palette';
import { cssOf, makeRamp, type Ramp, shadeOf } from '../../plots/ramp';
import { Drawing } from '../common/canvas';
import { type Camera, type Plane, project, START, turned } from './activation_stack';

export interface StackLayer {
  readonly name: string;
  readonly plane: Plane;
}

interface Quad {
  readonly layer: number;
  readonly corners: readonly (readonly [number, number])[];
}

const TALL = 480;
const PER_KEY = Math.PI / 24;
const PER_PIXEL = 0.01;

// Of all layers together would hide the weak ones: each layer has its own range.
function rangeOf({ values }: Plane): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values)
    if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return low <= high ? [low, high] : [0, 1];
}

export class StackPicture {
  private readonly drawing: Drawing;
  private readonly said = html('div', { class: 'unseen', 'aria-live': 'polite' });
  private layers: readonly StackLayer[] = [];
  private camera: Camera = START;
  private outlines: Quad[] = []; // Of whole planes, nearest last.
  private chosen = -1;
  private dragged: [number, number] | null = null;

  constructor(box: HTMLElement) {
    const words =
      'Activations of the layers in three dimensions. Arrow keys turn the view, plus and minus choose a layer, Home resets.';
    this.drawing = new Drawing(box, words, (context, width, height) =>
      this.draw(context, width, height),
    );
    const { canvas } = this.drawing;
    canvas.classList.add('tensors-stack-canvas');
    canvas.addEventListener('pointerdown', (event) => this.grab(event));
    canvas.addEventListener('pointermove', (event) => this.drag(event));
    canvas.addEventListener('pointerup', () => (this.dragged = null));
    canvas.addEventListener('pointercancel', () => (this.dragged = null));
    canvas.addEventListener('mouseleave', () => this.choose(-1));
    canvas.addEventListener('keydown', (event) => this.key(event));
    box.append(this.said);
    this.drawing.height = TALL;
  }

  set(layers: readonly StackLayer[]): void {
    this.layers = layers;
    this.drawing.redraw();
  }

  destroy(): void {
    hideTip();
    this.drawing.destroy();
    this.said.remove();
  }

  // A point of a layer's plane, each coordinate from 0 to 1, in pixels.
  private place(layer: number, x: number, y: number, width: number, height: number) {
    const count = this.layers.length;
    const plane = this.layers[layer]?.plane;
    const longest = Math.max(plane?.rows ?? 1, plane?.columns ?? 1);
    const wide = (0.75 * (plane?.columns ?? 1)) / longest;
    const tall = (0.75 * (plane?.rows ?? 1)) / longest;
    const z = count > 1 ? 1.6 * (layer / (count - 1) - 0.5) : 0;
    const at = project(this.camera, (2 * x - 1) * wide, (1 - 2 * y) * tall, z);
    const size = Math.min(width, height * 1.25) * 0.31;
    return { x: width / 2 + at.x * size, y: height * 0.47 - at.y * size, depth: at.depth };
  }

  private draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { dark } = palette();
    const order = this.layers
      .map((_, layer) => ({ layer, depth: this.place(layer, 0.5, 0.5, width, height).depth }))
      .sort((a, b) => b.depth - a.depth);
    this.outlines = [];
    for (const { layer } of order) {
      const shown = this.layers[layer];
      if (!shown) continue;
      const range = rangeOf(shown.plane);
      const kind = range[0] < 0 ? 'diverging' : 'sequential';
      this.drawPlane(context, layer, shown.plane, makeRamp(kind, range, dark), width, height);
    }
    this.drawNames(context, width, height);
  }

  private drawPlane(
    context: CanvasRenderingContext2D,
    layer: number,
    { rows, columns, values }: Plane,
    ramp: Ramp,
    width: number,
    height: number,
  ): void {
    const { nothing } = ramp;
    const at = (x: number, y: number): [number, number] => {
      const place = this.place(layer, x, y, width, height);
      return [place.x, place.y];
    };
    const path = (corners: readonly (readonly [number, number])[]): void => {
      context.beginPath();
      corners.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      context.closePath();
    };
    context.globalAlpha = this.chosen < 0 || this.chosen === layer ? 0.92 : 0.25;
    for (let row = 0; row < rows; ++row)
      for (let column = 0; column < columns; ++column) {
        const value = values[row * columns + column] ?? NaN;
        const [left, right] = [column / columns, (column + 1) / columns];
        const [top, foot] = [row / rows, (row + 1) / rows];
        path([at(left, top), at(right, top), at(right, foot), at(left, foot)]);
        context.fillStyle = Number.isNaN(value)
          ? `rgb(${nothing.join(' ')})`
          : cssOf(shadeOf(ramp, ramp.place(value)));
        context.fill();
      }
    context.globalAlpha = 1;
    const corners = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
    this.outlines.push({ layer, corners });
    path(corners);
    const colours = palette();
    context.strokeStyle = this.chosen === layer ? colours.accent : colours.quiet;
    context.lineWidth = this.chosen === layer ? 2 : 1;
    context.stroke();
  }

  private drawNames(context: CanvasRenderingContext2D, width: number, height: number): void {
    const colours = palette();
    context.font = `12px ${colours.font}`;
    context.textAlign = 'center';
    const last = this.layers.length - 1;
    for (const layer of new Set(this.chosen >= 0 ? [this.chosen] : [0, last])) {
      const [left, right] = [0, 1].map((side) => this.place(layer, side, 0, width, height));
      const x = ((left?.x ?? 0) + (right?.x ?? 0)) / 2;
      const y = Math.min(left?.y ?? 0, right?.y ?? 0);
      context.fillStyle = colours.text;
      context.fillText(
        this.layers[layer]?.name ?? '',
        Math.max(60, Math.min(width - 60, x)),
        y - 8,
      );
    }
  }

  private grab(event: PointerEvent): void {
    this.dragged = [event.clientX, event.clientY];
    this.drawing.canvas.setPointerCapture(event.pointerId);
    hideTip();
  }

  private drag(event: PointerEvent): void {
    if (!this.dragged) return this.hover(event);
    const [x, y] = this.dragged;
    this.dragged = [event.clientX, event.clientY];
    this.turn((event.clientX - x) * PER_PIXEL, (event.clientY - y) * PER_PIXEL);
  }

  private turn(right: number, up: number): void {
    this.camera = turned(this.camera, right, up);
    this.drawing.redraw();
  }

  private hover(event: MouseEvent): void {
    const box = this.drawing.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = [...this.outlines].reverse().find(({ corners }) => isInside(x, y, corners));
    this.choose(found?.layer ?? -1);
    if (found) showTip(event, this.words(found.layer));
  }

  private words(layer: number): string[] {
    const shown = this.layers[layer];
    if (!shown) return [];
    const [low, high] = rangeOf(shown.plane);
    return [
      shown.name,
      `Layer ${layer + 1} of ${this.layers.length}`,
      `${figure(low)} to ${figure(high)}`,
    ];
  }

  private choose(layer: number): void {
    if (layer < 0) hideTip();
    if (layer === this.chosen) return;
    this.chosen = layer;
    this.drawing.redraw();
  }

  private key(event: KeyboardEvent): void {
    const last = this.layers.length - 1;
    const turns: Record<string, [number, number]> = {
      ArrowLeft: [-PER_KEY, 0],
      ArrowRight: [PER_KEY, 0],
      ArrowUp: [0, PER_KEY],
      ArrowDown: [0, -PER_KEY],
    };
    const by = turns[event.key];
    const next = { '+': this.chosen + 1, '-': this.chosen - 1 }[event.key];
    if (by) this.turn(...by);
    else if (event.key === 'Home') {
      this.camera = START;
      this.choose(-1);
      this.drawing.redraw();
    } else if (event.key === 'Escape') this.choose(-1);
    else if (next !== undefined) {
      this.choose(Math.max(0, Math.min(last, next)));
      this.said.textContent = this.words(this.chosen).join(', ');
    } else return;
    event.preventDefault();
  }
}

// Whether a point is in a convex or concave polygon: by the number of edges to its left.
function isInside(x: number, y: number, corners: readonly (readonly [number, number])[]): boolean {
  let inside = false;
  corners.forEach(([x1, y1], i) => {
    const [x0, y0] = corners[(i + corners.length - 1) % corners.length] ?? [x1, y1];
    if (y1 > y !== y0 > y && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1) inside = !inside;
  });
  return inside;
}
