// Mouse, pen and fingers on the timeline.
//
// The wheel zooms at the pointer (with Shift, or sideways, it moves; with Alt it scrolls the
// tracks), dragging moves, Shift-drag selects a range, two fingers zoom. One finger up and down
// scrolls the tracks like any page.

import type { TimeWindow } from './model/time_window';

export interface Point {
  x: number; // CSS pixels, from the stage's upper left corner.
  y: number;
}

export interface PointerActions {
  hover: (at: Point | null, event: PointerEvent) => void;
  pick: (at: Point) => void;
  enter: (at: Point) => void; // A double click.
  range: (from: number, to: number, done: boolean) => void; // Fractions of the width.
  scroll: (by: number) => void;
}

const MOVED = 4; // A shorter movement is a click.

export class Pointers {
  private readonly given = new AbortController();
  private readonly fingers = new Map<number, Point>();
  private last: Point | null = null;
  private begun: Point | null = null;
  private dragging: 'no' | 'pan' | 'range' = 'no';

  constructor(
    private readonly stage: HTMLElement,
    private readonly window: TimeWindow,
    private readonly act: PointerActions,
  ) {
    const { signal } = this.given;
    stage.addEventListener('wheel', (event) => this.wheel(event), { signal, passive: false });
    stage.addEventListener('pointerdown', (event) => this.down(event), { signal });
    stage.addEventListener('pointermove', (event) => this.move(event), { signal });
    stage.addEventListener('pointerup', (event) => this.up(event), { signal });
    stage.addEventListener('pointercancel', (event) => this.cancel(event), { signal });
    stage.addEventListener('pointerleave', (event) => this.act.hover(null, event), { signal });
    stage.addEventListener('dblclick', (event) => this.act.enter(this.point(event)), { signal });
  }

  close(): void {
    this.given.abort();
  }

  private point(event: MouseEvent): Point {
    const box = this.stage.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private get width(): number {
    return this.stage.clientWidth || 1;
  }

  private wheel(event: WheelEvent): void {
    if (event.altKey) return; // The browser scrolls the tracks.
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      return this.window.show(...this.window.panned((sideways * lines) / this.width));
    }
    const by = Math.max(-240, Math.min(240, event.deltaY * lines));
    this.window.show(...this.window.zoomed(2 ** (by / 180), this.point(event).x / this.width));
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.stage.focus({ preventScroll: true });
    this.stage.setPointerCapture(event.pointerId);
    const at = this.point(event);
    this.fingers.set(event.pointerId, at);
    this.last = this.begun = at;
    this.dragging = event.shiftKey && event.pointerType !== 'touch' ? 'range' : 'no';
    event.preventDefault();
  }

  private move(event: PointerEvent): void {
    const at = this.point(event);
    const before = this.fingers.get(event.pointerId);
    if (!before || !this.begun) return this.act.hover(at, event);
    if (this.fingers.size === 2) return this.pinch(event.pointerId, before, at);
    this.fingers.set(event.pointerId, at);
    if (this.dragging === 'range')
      return this.act.range(this.begun.x / this.width, at.x / this.width, false);
    if (this.dragging === 'no' && Math.hypot(at.x - this.begun.x, at.y - this.begun.y) < MOVED)
      return;
    this.dragging = 'pan';
    this.act.hover(null, event);
    this.window.show(...this.window.panned(((this.last?.x ?? at.x) - at.x) / this.width));
    if (event.pointerType !== 'touch') this.act.scroll((this.last?.y ?? at.y) - at.y);
    this.last = at;
  }

  private pinch(finger: number, before: Point, at: Point): void {
    const other = [...this.fingers].find(([id]) => id !== finger)?.[1];
    this.fingers.set(finger, at);
    this.dragging = 'pan';
    if (!other) return;
    const was = Math.max(20, Math.abs(before.x - other.x));
    const is = Math.max(20, Math.abs(at.x - other.x));
    const moved = (before.x - at.x) / 2 / this.width;
    this.window.show(...this.window.panned(moved));
    this.window.show(...this.window.zoomed(was / is, (at.x + other.x) / 2 / this.width));
  }

  private up(event: PointerEvent): void {
    const at = this.point(event);
    const alone = this.fingers.size === 1;
    this.fingers.delete(event.pointerId);
    this.last = [...this.fingers.values()][0] ?? null;
    if (!alone || !this.begun) return;
    if (this.dragging === 'range')
      this.act.range(this.begun.x / this.width, at.x / this.width, true);
    else if (this.dragging === 'no') this.act.pick(at);
    this.begun = null;
    this.dragging = 'no';
  }

  private cancel(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    this.begun = null;
    this.dragging = 'no';
  }
}
