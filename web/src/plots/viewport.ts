// Caches the data of a moving window: requests the window and a margin on both sides, one point per
// pixel, when the reader pauses, and aborts earlier requests. The last answer stays visible, so
// moving never waits for the server.

import type { Range } from './axes';

export interface Asked {
  from: number | undefined; // undefined: from the first.
  to: number | undefined;
  points: number;
}

export interface ViewportOptions<T> {
  // Asks the server; null: it failed or was aborted, and the caller has reported it.
  ask: (asked: Asked, signal: AbortSignal) => Promise<T | null>;
  show: (answer: T) => void;
  pixels: () => number; // The width of the plot.
  perPixel?: number; // Points per pixel; the answer has two values per point.
  most?: number; // Maximum points per request.
}

const MARGIN = 1; // Of the window, on each side.
const PAUSE = 70; // Milliseconds.

interface Covered {
  from: number;
  to: number;
  perPoint: number; // How much of the axis a point covers.
}

const EVERYTHING: Covered = { from: -Infinity, to: Infinity, perPoint: Infinity };

export class Viewport<T> {
  private range: Range | null = null;
  private covered: Covered | null = null;
  // The answer for the whole extent: drawn where no finer one reaches.
  private whole: T | null = null;
  private asking: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(private readonly options: ViewportOptions<T>) {}

  // The reader moved. Requests only what is missing or too coarse.
  look(range: Range | null, settled: boolean): void {
    this.range = range;
    if (this.fits()) return;
    if (this.whole !== null && this.covered && !this.reaches()) {
      this.covered = EVERYTHING;
      this.options.show(this.whole);
    }
    this.soon(settled ? 0 : PAUSE);
  }

  // The cached data is outdated: there is more, or other series are needed.
  refresh(): void {
    this.covered = null;
    this.whole = null;
    this.soon(0);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.asking?.abort();
  }

  private reaches(): boolean {
    const [from, to] = this.range ?? [-Infinity, Infinity];
    return this.covered !== null && from >= this.covered.from && to <= this.covered.to;
  }

  private fits(): boolean {
    if (!this.covered || !this.reaches()) return false;
    if (!this.range) return true;
    return this.covered.perPoint <= ((this.range[1] - this.range[0]) / this.wanted(1)) * 1.6;
  }

  private wanted(windows: number): number {
    const { pixels, perPixel = 1, most = 4000 } = this.options;
    return Math.max(50, Math.min(most, Math.ceil(pixels() * perPixel * windows)));
  }

  private soon(pause: number): void {
    clearTimeout(this.timer);
    if (!this.closed) this.timer = setTimeout(() => void this.ask(), pause);
  }

  private async ask(): Promise<void> {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    const range = this.range;
    const span = range ? range[1] - range[0] : 0;
    const from = range ? range[0] - span * MARGIN : -Infinity;
    const to = range ? range[1] + span * MARGIN : Infinity;
    const points = this.wanted(range ? 1 + 2 * MARGIN : 1);
    const bound = (value: number): number | undefined =>
      Number.isFinite(value) ? value : undefined;
    const answer = await this.options.ask(
      { from: bound(from), to: bound(to), points },
      asking.signal,
    );
    if (answer === null || asking.signal.aborted || this.closed) return;
    this.covered = range ? { from, to, perPoint: (to - from) / points } : EVERYTHING;
    if (!range) this.whole = answer;
    this.options.show(answer);
  }
}
