// Drawn over the slices, and changing more often than they do: selection, arrows, selected range,
// pointer.

import type { TimelineEvent } from '../../api/types';
import type { Lanes } from './lanes';
import type { Palette } from './model/palette';
import type { Screen } from './painter';
import type { Range } from './model/time_window';

// A slice, or the part of a collapsed group that hides it.
export interface Spot {
  track: number;
  depth: number;
  start: number;
  end: number;
}

export interface Arrow {
  from: Spot;
  to: Spot;
}

export interface Overlaid {
  selected: TimelineEvent | null;
  arrows: Arrow[]; // Of the selection.
  all: Arrow[]; // For everything visible, if turned on.
  path: Spot[]; // The critical path of a step, by time.
  hovered: Spot | null;
  range: Range | null;
  mark: number | null; // The moment that a link points to.
  pointer: number | null; // Device pixels.
}

const CLOSE = 6; // Pixels of a piece of the path: lines between shorter ones would cover everything.

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Overlay {
  constructor(private readonly context: CanvasRenderingContext2D) {}

  draw(screen: Screen, lanes: Lanes, over: Overlaid, palette: Palette): void {
    const { context } = this;
    if (over.range) this.drawRange(screen, over.range, palette);
    if (over.mark !== null) this.drawMoment(screen, over.mark, palette.css.warning);
    if (over.pointer !== null) this.drawPointer(screen, over.pointer, palette);
    context.globalAlpha = 0.45;
    for (const arrow of over.all) this.drawArrow(screen, lanes, arrow, palette.css.quiet, 1);
    context.globalAlpha = 1;
    this.drawPath(screen, lanes, over.path, palette.css.bad);
    if (over.hovered)
      this.outline(this.boxOf(screen, lanes, over.hovered), palette.css.text, screen.ratio);
    for (const arrow of over.arrows) {
      this.outline(this.boxOf(screen, lanes, arrow.from), palette.css.accent, screen.ratio);
      this.outline(this.boxOf(screen, lanes, arrow.to), palette.css.accent, screen.ratio);
      this.drawArrow(screen, lanes, arrow, palette.css.accent, 1.75);
    }
    if (over.selected) {
      const { track, depth, start, duration } = over.selected;
      const box = this.boxOf(screen, lanes, { track, depth, start, end: start + duration });
      this.outline(box, palette.css.text, 2 * screen.ratio);
    }
  }

  // Boxes around the pieces, and lines where it changes from one track to another, unless they are
  // too close to each other.
  private drawPath(screen: Screen, lanes: Lanes, path: Spot[], colour: string): void {
    const scale = screen.width / (screen.to - screen.from) / screen.ratio;
    const wide = ({ start, end }: Spot): boolean => (end - start) * scale >= CLOSE;
    path.forEach((spot, i) => {
      this.outline(this.boxOf(screen, lanes, spot), colour, 1.5 * screen.ratio);
      const next = path[i + 1];
      if (!next || next.track === spot.track || (!wide(spot) && !wide(next))) return;
      const from = { ...spot, start: spot.end };
      this.drawArrow(screen, lanes, { from, to: next }, colour, 1.25);
    });
  }

  private boxOf(screen: Screen, lanes: Lanes, spot: Spot): Box | null {
    const place = lanes.place(spot.track, spot.depth);
    if (!place) return null;
    const scale = screen.width / (screen.to - screen.from);
    const from = Math.max(-10, Math.floor((spot.start - screen.from) * scale));
    const to = Math.min(
      screen.width + 10,
      Math.max(from + 2, Math.floor((spot.end - screen.from) * scale)),
    );
    if (from > screen.width || to < 0) return null;
    const { ratio } = screen;
    return {
      x: from,
      y: (place.y - screen.scroll) * ratio,
      width: to - from,
      height: place.height * ratio,
    };
  }

  private outline(box: Box | null, colour: string, thickness: number): void {
    if (!box) return;
    this.context.strokeStyle = colour;
    this.context.lineWidth = thickness;
    this.context.strokeRect(
      box.x - thickness / 2,
      box.y - thickness / 2,
      box.width + thickness,
      box.height + thickness,
    );
  }

  private drawRange(screen: Screen, [from, to]: Range, palette: Palette): void {
    const scale = screen.width / (screen.to - screen.from);
    const left = Math.max(-2, (from - screen.from) * scale);
    const right = Math.min(screen.width + 2, (to - screen.from) * scale);
    if (right < left) return;
    this.context.fillStyle = palette.css.accent;
    this.context.globalAlpha = 0.12;
    this.context.fillRect(left, 0, right - left, screen.height);
    this.context.globalAlpha = 1;
    this.context.fillRect(left, 0, screen.ratio, screen.height);
    this.context.fillRect(right - screen.ratio, 0, screen.ratio, screen.height);
  }

  private drawMoment(screen: Screen, time: number, colour: string): void {
    const x = Math.round(((time - screen.from) * screen.width) / (screen.to - screen.from));
    this.context.fillStyle = colour;
    this.context.fillRect(x, 0, 2 * screen.ratio, screen.height);
  }

  private drawPointer(screen: Screen, x: number, palette: Palette): void {
    this.context.fillStyle = palette.css.quiet;
    this.context.globalAlpha = 0.5;
    this.context.fillRect(Math.round(x), 0, Math.ceil(screen.ratio), screen.height);
    this.context.globalAlpha = 1;
  }

  // From the middle of the launch's row to the middle of the run's row.
  private drawArrow(
    screen: Screen,
    lanes: Lanes,
    arrow: Arrow,
    colour: string,
    thickness: number,
  ): void {
    const from = lanes.place(arrow.from.track, arrow.from.depth);
    const to = lanes.place(arrow.to.track, arrow.to.depth);
    if (!from || !to) return;
    const scale = screen.width / (screen.to - screen.from);
    const { ratio } = screen;
    // Clamped: a curve that ends far outside the screen looks the same and can be drawn.
    const far = 20 * screen.width;
    const clamp = (x: number): number => Math.min(far, Math.max(-far, x));
    const x0 = clamp((arrow.from.start - screen.from) * scale);
    const x1 = clamp((arrow.to.start - screen.from) * scale);
    if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > screen.width) return;
    const y0 = (from.y + from.height / 2 - screen.scroll) * ratio;
    const y1 = (to.y + to.height / 2 - screen.scroll) * ratio;
    const bend = Math.max(16 * ratio, Math.min(Math.abs(x1 - x0) / 2, 120 * ratio));
    const head = 5 * ratio;
    const { context } = this;
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = thickness * ratio;
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend - head, y1, x1 - head, y1);
    context.stroke();
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x1 - 1.5 * head, y1 - 0.7 * head);
    context.lineTo(x1 - 1.5 * head, y1 + 0.7 * head);
    context.fill();
  }
}
