// The visible part of time, and how it moves: immediately with the pointer, animated with keys and
// buttons.

const LEAST = 0.1; // Microseconds from edge to edge: 0.1 nanoseconds per pixel.
const GLIDE_MS = 140;
// This fraction of the window may be empty before the first and after the last event.
const BESIDE = 0.02;

export type Range = [number, number];

export class TimeWindow {
  from = 0;
  to = 1;
  private end = 1;
  private glide: { begun: number; of: Range; to: Range } | null = null;

  // `moved` is called when another part must be drawn, now or soon.
  constructor(private readonly moved: () => void) {}

  get span(): number {
    return this.to - this.from;
  }

  get all(): Range {
    return [0, this.end];
  }

  get gliding(): boolean {
    return this.glide !== null;
  }

  // The destination of the animation, or the current window.
  get aim(): Range {
    return this.glide?.to ?? [this.from, this.to];
  }

  setEnd(end: number): void {
    this.end = Math.max(LEAST, end);
  }

  show(from: number, to: number): void {
    this.glide = null;
    [this.from, this.to] = this.within(from, to);
    this.moved();
  }

  // Animated, or immediate for readers who prefer reduced motion.
  glideTo(from: number, to: number): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return this.show(from, to);
    this.glide = { begun: performance.now(), of: [this.from, this.to], to: this.within(from, to) };
    this.moved();
  }

  // factor < 1 zooms in; the time at `at` (0 to 1 of the width) stays in place.
  zoomed(factor: number, at = 0.5): Range {
    const [from, to] = this.aim;
    const fixed = from + (to - from) * at;
    const span = Math.max(LEAST, (to - from) * factor);
    return [fixed - span * at, fixed + span * (1 - at)];
  }

  panned(share: number): Range {
    const [from, to] = this.aim;
    const by = (to - from) * share;
    return [from + by, to + by];
  }

  // Advances the animation; called once per frame.
  advance(now: number): void {
    if (!this.glide) return;
    const { begun, of, to } = this.glide;
    const part = Math.min(1, Math.max(0, (now - begun) / GLIDE_MS));
    const eased = 1 - (1 - part) ** 3;
    this.from = of[0] + (to[0] - of[0]) * eased;
    this.to = of[1] + (to[1] - of[1]) * eased;
    if (part === 1) this.glide = null;
  }

  private within(from: number, to: number): Range {
    const sane = Number.isFinite(from) && Number.isFinite(to) && to > from;
    if (!sane) return [0, this.end];
    const widest = this.end * (1 + 2 * BESIDE);
    const span = Math.min(widest, Math.max(LEAST, to - from));
    const least = -Math.max(span, 0) * BESIDE;
    const most = this.end + span * BESIDE;
    const middle = (from + to) / 2;
    const start = Math.min(Math.max(middle - span / 2, least), Math.max(least, most - span));
    return [start, start + span];
  }
}
