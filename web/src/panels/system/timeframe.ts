// The time range of all charts: everything, the last minutes (following), or fixed.

import type { Seconds } from '../../api/types';
import type { Range } from '../../plots/axes';
import { clamped } from '../../plots/gestures';
import { numberParam, rangeParam } from '../common/params';

// Seconds on each side of ?at=TIME.
const AROUND = 60;

export class Timeframe {
  extent: Range | null = null; // The whole extent of the data.
  at: Seconds | null = null; // The moment that a link points to.
  private fixed: Range | null = null;
  private last: number | null = null; // Seconds.
  private around = false; // The range is the one around a moment, not one that somebody chose.

  read(params: URLSearchParams): void {
    const last = numberParam(params.get('last'));
    this.at = numberParam(params.get('at'));
    this.fixed = rangeParam(params.get('from'), params.get('to'));
    this.last = !this.fixed && last !== null && last > 0 ? last : null;
    this.around = this.at !== null && !this.fixed;
    if (this.at !== null && !this.fixed) this.fixed = [this.at - AROUND, this.at + AROUND];
  }

  write(params: URLSearchParams): void {
    for (const name of ['from', 'to', 'last']) params.delete(name);
    const round = (seconds: number): string => String(Math.round(seconds * 1000) / 1000);
    if (this.last !== null) params.set('last', String(this.last));
    // If everything is shown, the moment alone would narrow the range when the link is opened.
    if (!this.fixed) params.delete('at');
    if (this.fixed) {
      const [from, to] = this.range ?? this.fixed;
      params.set('from', round(from));
      params.set('to', round(to));
    }
  }

  // null: everything.
  get range(): Range | null {
    if (this.fixed) return this.around ? this.within(this.fixed) : this.fixed;
    if (this.last === null || !this.extent) return null;
    const [first, end] = this.extent;
    return this.last < end - first ? [end - this.last, end] : null;
  }

  // A short run would be lost in a range of minutes.
  private within([from, to]: Range): Range | null {
    if (!this.extent) return [from, to];
    const [first, end] = this.extent;
    const part: Range = [Math.max(from, first), Math.min(to, end)];
    return part[0] < part[1] ? part : [from, to];
  }

  get shown(): Range | null {
    return this.range ?? this.extent;
  }

  get isFixed(): boolean {
    return this.fixed !== null;
  }

  get lastSeconds(): number | null {
    return this.fixed ? null : this.last;
  }

  // Chosen by a gesture: stays fixed. null: everything.
  choose(range: Range | null): void {
    this.around = false;
    this.fixed = range;
    this.last = null;
  }

  showLast(seconds: number | null): void {
    this.fixed = null;
    this.last = seconds;
  }

  // Fixed: keeps the range. Not fixed: a range of the same length follows the newest samples.
  fix(fixed: boolean): void {
    if (fixed === this.isFixed) return;
    if (fixed) {
      this.fixed = this.shown;
      this.last = null;
    } else if (this.fixed && this.extent) {
      const span = Math.max(1, Math.round(this.fixed[1] - this.fixed[0]));
      this.last = span < this.extent[1] - this.extent[0] ? span : null;
      this.fixed = null;
    }
  }

  // factor < 1 zooms in; by: fraction of the range, to the right.
  move(factor: number, by: number): void {
    const shown = this.shown;
    if (!shown || !this.extent) return;
    const [from, to] = shown;
    const middle = (from + to) / 2 + (to - from) * by;
    const half = ((to - from) / 2) * factor;
    this.choose(clamped([middle - half, middle + half], this.extent));
  }
}
