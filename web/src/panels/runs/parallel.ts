// Parallel coordinates: one axis beside the other, one line per run.

import { palette } from '../../plots/palette';
import { ticksOf } from './plot_axis';
import { type Pixel, type PlotActions, PlotCanvas } from './plot_canvas';
import { nearestLine, type Places } from './plot_pick';

const HEIGHT = 340;
const TOP = 40;
const BOTTOM = 16;
const LEFT = 24;
const RIGHT = 60; // For the labels of the last axis.
const GRIP = 16; // Pixels from an axis in which a drag marks a range on it.
const NEAR = 24; // Pixels from a line in which it is meant.

export class ParallelPlot extends PlotCanvas {
  constructor(actions: PlotActions) {
    super('Parallel coordinates of the runs', actions, HEIGHT);
  }

  protected drawRuns(
    on: CanvasRenderingContext2D,
    lines: readonly Places[],
    color: string,
    width: number,
  ): void {
    on.strokeStyle = color;
    on.lineWidth = 1;
    on.beginPath();
    for (const places of lines) this.path(on, places, width);
    on.stroke();
  }

  protected drawPointed(on: CanvasRenderingContext2D, places: Places, width: number): void {
    on.strokeStyle = palette().text;
    on.lineWidth = 2.5;
    on.beginPath();
    this.path(on, places, width);
    on.stroke();
    on.lineWidth = 1;
  }

  protected drawAxes(on: CanvasRenderingContext2D, width: number): void {
    const colors = palette();
    const { axes } = this.data;
    const room = axes.length > 1 ? (width - LEFT - RIGHT) / (axes.length - 1) : width;
    axes.forEach((axis, i) => {
      const x = Math.round(this.x(i, width)) + 0.5;
      on.strokeStyle = i === this.axis ? colors.accent : colors.quiet;
      on.beginPath();
      on.moveTo(x, this.y(0));
      on.lineTo(x, this.y(1));
      on.stroke();
      on.textAlign = 'center';
      on.textBaseline = 'middle';
      on.fillStyle = colors.text;
      // Titles of neighbors stand on two lines where they would touch.
      on.fillText(
        clipped(on, axis.title, room * 1.8),
        this.clampX(on, axis.title, x, width, room * 1.8),
        i % 2 ? 26 : 10,
      );
      on.textAlign = 'left';
      let last = Infinity;
      for (const { place, words } of ticksOf(axis)) {
        const y = this.y(place);
        if (last - y < 13) continue;
        last = y;
        const text = clipped(on, words, i === axes.length - 1 ? RIGHT - 10 : room - 14);
        on.lineWidth = 3;
        on.strokeStyle = colors.card;
        on.strokeText(text, x + 6, y);
        on.lineWidth = 1;
        on.fillText(text, x + 6, y);
      }
    });
  }

  protected rangeBox(axis: number, [from, to]: [number, number], width: number): DOMRect {
    const [low, high] = [Math.max(-0.02, Math.min(from, to)), Math.min(1.02, Math.max(from, to))];
    return new DOMRect(this.x(axis, width) - 7, this.y(high), 14, this.y(low) - this.y(high));
  }

  protected pick({ x, y }: Pixel, width: number): number {
    const last = this.data.axes.length - 1;
    const at = Math.max(0, Math.min(last, ((x - LEFT) / (width - LEFT - RIGHT)) * last));
    const tall = HEIGHT - TOP - BOTTOM;
    return nearestLine(this.lines, at, (HEIGHT - BOTTOM - y) / tall, NEAR / tall);
  }

  protected axisAt(at: Pixel, width: number): { axis: number; place: number } | null {
    const axis = this.data.axes.findIndex((_, i) => Math.abs(this.x(i, width) - at.x) <= GRIP);
    return axis < 0 ? null : { axis, place: this.placeOn(axis, at) };
  }

  protected placeOn(_axis: number, { y }: Pixel): number {
    return Math.max(-0.02, Math.min(1.02, (HEIGHT - BOTTOM - y) / (HEIGHT - TOP - BOTTOM)));
  }

  protected pixelOf(places: Places, width: number): Pixel {
    const axis = places[this.axis] === null ? places.findIndex((one) => one !== null) : this.axis;
    return { x: this.x(axis, width), y: this.y(places[axis] ?? 0) };
  }

  private x(axis: number, width: number): number {
    const last = this.data.axes.length - 1;
    return last < 1 ? width / 2 : LEFT + (axis / last) * (width - LEFT - RIGHT);
  }

  private y(place: number): number {
    return HEIGHT - BOTTOM - place * (HEIGHT - TOP - BOTTOM);
  }

  private clampX(
    on: CanvasRenderingContext2D,
    title: string,
    x: number,
    width: number,
    most: number,
  ): number {
    const half = Math.min(most, on.measureText(title).width) / 2 + 4;
    return Math.max(half, Math.min(width - half, x));
  }

  // With gaps where the run has no value.
  private path(on: CanvasRenderingContext2D, places: Places, width: number): void {
    let drawing = false;
    places.forEach((place, i) => {
      if (place === null) {
        drawing = false;
        return;
      }
      const [x, y] = [this.x(i, width), this.y(place)];
      if (drawing) on.lineTo(x, y);
      else on.moveTo(x, y);
      drawing = true;
    });
  }
}

export function clipped(on: CanvasRenderingContext2D, text: string, width: number): string {
  if (on.measureText(text).width <= width) return text;
  let short = text;
  while (short.length > 1 && on.measureText(`${short}…`).width > width) short = short.slice(0, -1);
  return `${short}…`;
}
