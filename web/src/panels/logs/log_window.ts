// The part of a log that the page has: lines that follow each other, as far as they match the
// search. The server has the rest.

import type { LogLine, LogPage } from '../../api/types';
import { figure, utc } from '../../base/format';

// So that the page stays fast. What is beyond can be loaded again.
export const MOST_LINES = 5000;
// A search that has found less continues by itself: one answer covers a part of a long log.
const ENOUGH = 100;
// Times lose less than this on their way.
const ROUNDING = 1e-5;

export type Side = 'older' | 'newer';

export class LogWindow {
  readonly lines: LogLine[];
  older: boolean; // Whether there may be more lines before these.
  newer: boolean;
  private previous: string;
  private next: string;
  private kept: LogPage['kept'];
  private readonly here: number | null; // Position of the moment that was asked for.
  private target: number | null = null; // Position of the line to mark.

  constructor(page: LogPage) {
    this.lines = page.lines.slice();
    this.older = page.older;
    this.newer = page.newer;
    this.previous = page.previous;
    this.next = page.next;
    this.kept = page.kept;
    this.here = page.here ?? null;
    this.findTarget();
  }

  // What to ask the server for.
  query(side: Side): Record<string, string> {
    return side === 'older' ? { before: this.previous } : { after: this.next };
  }

  // Adds the answer, and drops as many lines as needed at the other side: how many.
  add(side: Side, page: LogPage): number {
    this.kept = page.kept;
    const beyond = Math.max(0, this.lines.length + page.lines.length - MOST_LINES);
    if (side === 'older') {
      this.previous = page.previous;
      this.older = page.older;
      this.lines.unshift(...page.lines);
      const [first] = this.lines.splice(this.lines.length - beyond);
      if (first) this.next = String(first.position);
      this.newer ||= beyond > 0;
    } else {
      this.next = page.next;
      this.newer = page.newer;
      this.lines.push(...page.lines);
      this.lines.splice(0, beyond);
      if (beyond > 0) this.previous = String(this.lines[0]?.position ?? page.next);
      this.older ||= beyond > 0;
    }
    this.findTarget();
    return beyond;
  }

  // Whether to load more at once, since a search has found little so far.
  get unfinished(): Side | null {
    if (this.here !== null && this.target === null && this.newer) return 'newer';
    return this.lines.length < ENOUGH && this.older ? 'older' : null;
  }

  // Bytes of output that were left out directly before a line.
  leftOutBefore(index: number): number {
    const to = this.lines[index]?.position ?? 0;
    const from = this.lines[index - 1]?.position ?? (this.older ? Number(this.previous) : to);
    let bytes = 0;
    this.kept.forEach(([begin], i) => {
      if (begin > from && begin <= to) bytes += begin - (this.kept[i - 1]?.[1] ?? 0);
    });
    return bytes;
  }

  // Bytes of output that were left out before all that is kept.
  get leftOutAtBegin(): number {
    return this.kept[0]?.[0] ?? 0;
  }

  // The line to mark. -1: it is not loaded.
  get marked(): number {
    return this.lines.findIndex(({ position }) => position === this.target);
  }

  // The first line at or after the moment, else the last one, as long as there is no other.
  private findTarget(): void {
    const { here, target } = this;
    if (here === null || (target !== null && target >= here)) return;
    const line = this.lines.find(({ position }) => position >= here);
    if (line) this.target = line.position;
    else if (!this.newer) this.target = this.lines.at(-1)?.position ?? null;
  }

  // What the mark means. at: the moment that was asked for. searching: some lines are not shown.
  momentWords(at: number, searching: boolean): string {
    const line = this.lines[this.marked];
    if (!line || this.here === null) return '';
    const moment = utc(at);
    const which = searching ? 'matching line' : 'line';
    if (line.position < this.here)
      return `No ${which} at or after ${moment}. The last one is marked.`;
    const afterGap = line.position > 0 && this.kept.some(([begin]) => begin === line.position);
    if (afterGap && line.time > at + ROUNDING)
      return `The output at ${moment} was left out. The first line after it is marked.`;
    return `The first ${which} at or after ${moment} is marked.`;
  }
}

export function sizeWords(bytes: number): string {
  return `${figure(Math.max(0.001, bytes / 1e6))} MB`;
}
