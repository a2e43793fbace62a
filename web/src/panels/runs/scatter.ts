// A scatter plot: one point per run.

import { palette } from '../../plots/palette';
import { clipped } from './parallel';
import { ticksOf } from './plot_axis';
import { type Pixel, type PlotActions, PlotCanvas } from './plot_canvas';
import { nearestPoint, type Places } from './plot_pick';

const HEIGHT = 340;
const EDGE = { left: 76, right: 24, top: 28, bottom: 44 };
const NEAR = 16; // Pixels.
const RADIUS = 4;

export class ScatterPlot extends PlotCanvas {
  constructor(actions: PlotActions) {
    super('Scatter plot of the runs', actions, HEIGHT);
  }

  protected drawRuns(
    on: CanvasRenderingContext2D,
    points: readonly Places[],
    color: string,
    width: number,
  ): void {
    on.fillStyle = color;
    on.beginPath();
    for (const places of points) this.dot(on, places, width, RADIUS);
    on.fill();
  }

  protected drawPointed(on: CanvasRenderingContext2D, places: Places, width: number): void {
    on.strokeStyle = palette().text;
    on.lineWidth = 2;
    on.beginPath();
    this.dot(on, places, width, RADIUS + 3);
    on.stroke();
    on.lineWidth = 1;
  }

  protected drawAxes(on: CanvasRenderingContext2D, width: number): void {
    const colors = palette();
    const [x, y] = this.data.axes;
    const [left, right] = [EDGE.left, width - EDGE.right];
    const [top, bottom] = [EDGE.top, HEIGHT - EDGE.bottom];
    on.strokeStyle = colors.quiet;
    on.strokeRect(left + 0.5, top + 0.5, right - left, bottom - top);
    if (!x || !y) return;
    on.fillStyle = colors.text;
    on.textBaseline = 'middle';
    on.textAlign = 'left';
    on.fillText(clipped(on, y.title, width - 20), 8, 12);
    on.textAlign = 'right';
    on.fillText(clipped(on, x.title, width - 20), right, HEIGHT - 10);
    on.fillStyle = colors.quiet;
    for (const { place, words } of ticksOf(y))
      on.fillText(clipped(on, words, EDGE.left - 14), left - 8, this.pixelOf([0, place], width).y);
    on.textAlign = 'center';
    let last = -Infinity;
    for (const { place, words } of ticksOf(x)) {
      const at = this.pixelOf([place, 0], width).x;
      const half = on.measureText(words).width / 2;
      if (at - half < last) continue;
      last = at + half + 8;
      on.fillText(words, at, bottom + 14);
    }
  }

  protected rangeBox(axis: number, [from, to]: [number, number], width: number): DOMRect {
    const a = this.pixelOf(
      [Math.max(0, Math.min(from, to)), Math.max(0, Math.min(from, to))],
      width,
    );
    const b = this.pixelOf(
      [Math.min(1, Math.max(from, to)), Math.min(1, Math.max(from, to))],
      width,
    );
    if (axis === 0) return new DOMRect(a.x, EDGE.top, b.x - a.x, HEIGHT - EDGE.top - EDGE.bottom);
    return new DOMRect(EDGE.left, b.y, width - EDGE.left - EDGE.right, a.y - b.y);
  }

  protected pick(at: Pixel, width: number): number {
    const place: [number, number] = [this.placeOn(0, at, width), this.placeOn(1, at, width)];
    const size: [number, number] = [
      width - EDGE.left - EDGE.right - 2 * RADIUS * 2,
      HEIGHT - EDGE.top - EDGE.bottom - 2 * RADIUS * 2,
    ];
    return nearestPoint(this.lines, place, size, NEAR);
  }

  protected axisAt(at: Pixel, width: number): { axis: number; place: number } | null {
    if (at.x < EDGE.left) return { axis: 1, place: this.placeOn(1, at, width) };
    if (at.y > HEIGHT - EDGE.bottom) return { axis: 0, place: this.placeOn(0, at, width) };
    return null;
  }

  protected placeOn(axis: number, { x, y }: Pixel, width: number): number {
    const inset = 2 * RADIUS;
    const [left, right] = [EDGE.left + inset, width - EDGE.right - inset];
    const [top, bottom] = [EDGE.top + inset, HEIGHT - EDGE.bottom - inset];
    const place = axis === 0 ? (x - left) / (right - left) : (bottom - y) / (bottom - top);
    return Math.max(-0.05, Math.min(1.05, place));
  }

  // Points at the ends stay within the frame.
  protected pixelOf([x = null, y = null]: Places, width: number): Pixel {
    const inset = 2 * RADIUS;
    const [left, right] = [EDGE.left + inset, width - EDGE.right - inset];
    const [top, bottom] = [EDGE.top + inset, HEIGHT - EDGE.bottom - inset];
    return { x: left + (x ?? 0) * (right - left), y: bottom - (y ?? 0) * (bottom - top) };
  }

  private dot(on: CanvasRenderingContext2D, places: Places, width: number, radius: number): void {
    const [x = null, y = null] = places;
    if (x === null || y === null) return;
    const at = this.pixelOf(places, width);
    on.moveTo(at.x + radius, at.y);
    on.arc(at.x, at.y, radius, 0, 2 * Math.PI);
  }
}
