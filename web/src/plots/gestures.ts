// Choosing a range of the x axis, the same on all plots: drag to zoom in, Shift-drag or two fingers
// to move, wheel or pinch to zoom, double click for everything; + - arrows Home End Escape on the
// focused plot.
//
// The wheel zooms if the plot has the focus or with Ctrl (which is how browsers report a pinch on a
// touchpad); otherwise the page scrolls, because a page full of plots must not trap the reader.

import type { Range } from './axes';

export interface GestureHost {
  range: () => Range; // What is shown.
  extent: () => Range; // All there is.
  area: () => { left: number; width: number }; // Of the plot, in the window's pixels.
  // null: everything. settled: the gesture ended or paused.
  change: (range: Range | null, settled: boolean) => void;
  // Returns true if the plot itself handled the key.
  key?: (event: KeyboardEvent) => boolean;
}

const PAUSE = 160; // Milliseconds after which a wheel movement has ended.
const LEAST_DRAG = 5; // Pixels.
const FINEST = 1e-9; // Of the extent.

// Clamps the window to the extent; null if it covers all of it.
export function clamped([from, to]: Range, [first, last]: Range): Range | null {
  const all = last - first;
  const span = Math.max(to - from, all * FINEST, Math.max(Math.abs(first), Math.abs(last)) * 1e-14);
  if (!(all > 0) || !(span < all * 0.9999)) return null;
  const middle = (from + to) / 2;
  const start = Math.min(Math.max(to - from < span ? middle - span / 2 : from, first), last - span);
  return [start, start + span];
}

export class RangeGestures {
  private readonly listening = new AbortController();
  private readonly pointers = new Map<number, number>(); // Pointer -> clientX.
  private readonly selection: HTMLElement;
  private dragFrom: number | null = null;
  private panning = false;
  private moved = false;
  private pause = 0;

  // `on` takes the pointer; `focused` the keys.
  constructor(
    private readonly on: HTMLElement,
    private readonly focused: HTMLElement,
    private readonly host: GestureHost,
  ) {
    this.selection = document.createElement('div');
    this.selection.className = 'plot-selection';
    this.selection.hidden = true;
    on.append(this.selection);
    on.classList.add('plot-gestures');
    const { signal } = this.listening;
    on.addEventListener('pointerdown', (event) => this.down(event), { signal });
    on.addEventListener('pointermove', (event) => this.move(event), { signal });
    on.addEventListener('pointerup', (event) => this.up(event, true), { signal });
    on.addEventListener('pointercancel', (event) => this.up(event, false), { signal });
    on.addEventListener('dblclick', () => this.reset(), { signal });
    on.addEventListener('wheel', (event) => this.wheel(event), { signal, passive: false });
    focused.addEventListener('keydown', (event) => this.key(event), { signal });
  }

  // Whether the last pointer press was a drag, not a click.
  get dragged(): boolean {
    return this.moved;
  }

  destroy(): void {
    this.listening.abort();
    clearTimeout(this.pause);
    this.selection.remove();
  }

  reset(): void {
    this.host.change(null, true);
  }

  // factor < 1 zooms in; `at` is the fraction of the width that stays in place.
  zoom(factor: number, at = 0.5, settled = true): void {
    const [from, to] = this.host.range();
    const fixed = from + (to - from) * at;
    this.host.change(
      clamped([fixed - (fixed - from) * factor, fixed + (to - fixed) * factor], this.host.extent()),
      settled,
    );
  }

  // By a fraction of the width.
  pan(part: number, settled = true): void {
    const [from, to] = this.host.range();
    const by = (to - from) * part;
    this.host.change(clamped([from + by, to + by], this.host.extent()), settled);
  }

  private partAt(clientX: number): number {
    const { left, width } = this.host.area();
    return Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width)));
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || (event.target as Element).closest('a, button')) return;
    this.pointers.set(event.pointerId, event.clientX);
    try {
      this.on.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is already gone.
    }
    this.moved = false;
    this.panning = event.shiftKey || this.pointers.size > 1;
    this.dragFrom = this.panning ? null : event.clientX;
    this.selection.hidden = true;
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) return;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, x]) => x);
    this.pointers.set(event.pointerId, event.clientX);
    if (others[0] !== undefined) this.pinch(before, event.clientX, others[0]);
    else if (this.panning) this.slide(before, event.clientX);
    else if (this.dragFrom !== null) this.select(this.dragFrom, event.clientX);
  }

  private slide(before: number, now: number): void {
    this.moved = true;
    this.pan((before - now) / Math.max(1, this.host.area().width), false);
  }

  private pinch(before: number, now: number, other: number): void {
    this.moved = true;
    const gap = Math.max(24, Math.abs(now - other));
    this.zoom(Math.max(24, Math.abs(before - other)) / gap, this.partAt((now + other) / 2), false);
    this.slide((before + other) / 2, (now + other) / 2);
  }

  private select(start: number, now: number): void {
    if (!this.moved && Math.abs(now - start) < LEAST_DRAG) return;
    this.moved = true;
    const { left, width } = this.host.area();
    const offset = left - this.on.getBoundingClientRect().left;
    const [a, b] = [this.partAt(Math.min(start, now)), this.partAt(Math.max(start, now))];
    this.selection.hidden = false;
    this.selection.style.left = `${offset + a * width}px`;
    this.selection.style.width = `${(b - a) * width}px`;
  }

  private up(event: PointerEvent, done: boolean): void {
    if (!this.pointers.delete(event.pointerId)) return;
    this.selection.hidden = true;
    const start = this.dragFrom;
    this.dragFrom = null;
    if (this.pointers.size > 0) return;
    if (this.panning && this.moved) this.pan(0, true);
    this.panning = false;
    if (!done || start === null || !this.moved) return;
    const [from, to] = this.host.range();
    const [a, b] = [
      this.partAt(Math.min(start, event.clientX)),
      this.partAt(Math.max(start, event.clientX)),
    ];
    if (b > a)
      this.host.change(
        clamped([from + a * (to - from), from + b * (to - from)], this.host.extent()),
        true,
      );
  }

  private wheel(event: WheelEvent): void {
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const wanted =
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      this.focused.contains(document.activeElement);
    if (!sideways && !wanted) return;
    event.preventDefault();
    const pixels = (delta: number): number =>
      delta * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1);
    if (sideways || event.shiftKey) {
      this.pan(
        pixels(sideways ? event.deltaX : event.deltaY) / Math.max(1, this.host.area().width),
        false,
      );
    } else {
      const strength = event.ctrlKey ? 0.01 : 0.002;
      this.zoom(
        Math.exp(Math.max(-1, Math.min(1, pixels(event.deltaY) * strength))),
        this.partAt(event.clientX),
        false,
      );
    }
    clearTimeout(this.pause);
    this.pause = window.setTimeout(() => this.pan(0, true), PAUSE);
  }

  private key(event: KeyboardEvent): void {
    if (event.target !== this.focused || event.altKey || event.ctrlKey || event.metaKey) return;
    if (this.host.key?.(event)) {
      event.preventDefault();
      return;
    }
    const acts: Record<string, () => void> = {
      '+': () => this.zoom(0.5),
      '=': () => this.zoom(0.5),
      '-': () => this.zoom(2),
      ArrowLeft: () => this.pan(-0.2),
      ArrowRight: () => this.pan(0.2),
      Home: () => this.pan(-1e6),
      End: () => this.pan(1e6),
      Escape: () => this.reset(),
    };
    const act = acts[event.key];
    if (!act) return;
    // With everything shown, Escape is left to what is around the plot: a full screen, say.
    if (event.key === 'Escape' && clamped(this.host.range(), this.host.extent()) === null) return;
    event.preventDefault();
    act();
  }
}
