// The part of time that is on the screen, and how it moves: at once by the pointer, gliding by keys and buttons.

const LEAST = 0.1; // Microseconds from edge to edge: 0.1 nanoseconds a pixel.
const GLIDE_MS = 140;
const BESIDE = 0.02; // So much of the window may be empty beside the first and the last event.

export type Range = [number, number];

export class TimeWindow {
  from = 0;
  to = 1;
  private end = 1;
  private glide: { begun: number; of: Range; to: Range } | null = null;

  // `moved` is called whenever another part is, or will be, to be drawn.
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

  // Where it is going, or is.
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

  // The same, but so that the eye can follow; at once for those who do not want motion.
  glideTo(from: number, to: number): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return this.show(from, to);
    this.glide = { begun: performance.now(), of: [this.from, this.to], to: this.within(from, to) };
    this.moved();
  }

  // factor < 1 enlarges; what is at `at` (0 to 1 of the width) stays where it is.
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

  // Goes on with a glide; called once a frame.
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
