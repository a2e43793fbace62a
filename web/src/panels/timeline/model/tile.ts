// A part of the timeline at one level of detail: slices by row (a depth of a track), each row
// sorted by time.

import type { Columns } from '../../../api/columns';
import type { Names } from './names';

export interface SlicesHeader {
  names?: Record<string, string>;
}

// The key of a row. Rows deeper than anyone scrolls share the last one.
const ROWS = 4096;
export const rowOf = (track: number, depth: number): number =>
  track * ROWS + Math.min(depth, ROWS - 1);

export interface Slice {
  start: number;
  end: number;
  name: number; // Index into Names.
  count: number;
  id: number;
}

const BYTES = 8 + 8 + 4 + 4 + 4;

export class Tile {
  // All slices, row after row.
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly name: Uint32Array;
  readonly count: Uint32Array;
  readonly id: Uint32Array;
  // Every slice is a single event: zooming in shows nothing new.
  readonly complete: boolean;
  private readonly rows = new Map<number, [number, number]>();

  constructor(
    readonly from: number,
    readonly to: number,
    answer: Columns<SlicesHeader>,
    names: Names,
  ) {
    const columns = { track: answer.column('track'), depth: answer.column('depth') };
    const length = columns.track.length;
    const order = this.placeRows(columns.track, columns.depth, length);
    this.start = new Float64Array(length);
    this.end = new Float64Array(length);
    this.name = new Uint32Array(length);
    this.count = new Uint32Array(length);
    this.id = new Uint32Array(length);
    this.complete = this.fill(answer, names, order);
    for (const [first, last] of this.rows.values()) this.sortRow(first, last);
  }

  get bytes(): number {
    return this.start.length * BYTES + this.rows.size * 64 + 256;
  }

  // The slices of a row: first, and one past the last.
  row(row: number): [number, number] | undefined {
    return this.rows.get(row);
  }

  // Among the slices in [first, last): the first that ends after `time`.
  firstAfter(time: number, first: number, last: number): number {
    let low = first;
    let high = last;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.end[middle] ?? 0) > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  at(i: number): Slice {
    return {
      start: this.start[i] ?? 0,
      end: this.end[i] ?? 0,
      name: this.name[i] ?? 0,
      count: this.count[i] ?? 1,
      id: this.id[i] ?? 0,
    };
  }

  allRows(): Iterable<[number, [number, number]]> {
    return this.rows;
  }

  // Counts the slices of each row; returns where each slice of the answer goes.
  private placeRows(
    track: ArrayLike<number>,
    depth: ArrayLike<number>,
    length: number,
  ): Uint32Array {
    const counts = new Map<number, number>();
    const keys = new Float64Array(length);
    for (let i = 0; i < length; ++i) {
      const row = rowOf(track[i] ?? 0, depth[i] ?? 0);
      keys[i] = row;
      counts.set(row, (counts.get(row) ?? 0) + 1);
    }
    let at = 0;
    for (const [row, count] of counts) {
      this.rows.set(row, [at, at]);
      at += count;
    }
    const order = new Uint32Array(length);
    let last = -1;
    let range: [number, number] = [0, 0];
    for (let i = 0; i < length; ++i) {
      const row = keys[i] ?? 0;
      if (row !== last) range = this.rows.get(row) ?? range;
      last = row;
      order[i] = range[1]++;
    }
    return order;
  }

  private fill(answer: Columns<SlicesHeader>, names: Names, order: Uint32Array): boolean {
    const start = answer.column('start');
    const duration = answer.column('duration');
    const name = answer.column('name');
    const count = answer.column('count');
    const id = answer.column('id');
    const numbers = new Map<number, number>();
    for (const [number, text] of Object.entries(answer.header.names ?? {})) {
      numbers.set(Number(number), names.numberOf(String(text)));
    }
    const unnamed = names.numberOf('');
    let complete = true;
    for (let i = 0; i < order.length; ++i) {
      const to = order[i] ?? 0;
      const begun = start[i] ?? 0;
      this.start[to] = begun;
      this.end[to] = begun + Math.max(0, duration[i] ?? 0);
      this.name[to] = numbers.get(name[i] ?? 0) ?? unnamed;
      this.count[to] = count[i] ?? 1;
      this.id[to] = id[i] ?? 0;
      if ((count[i] ?? 1) > 1) complete = false;
    }
    return complete;
  }

  // The server sends rows sorted; this handles one that does not.
  private sortRow(first: number, last: number): void {
    let sorted = true;
    for (let i = first + 1; i < last && sorted; ++i)
      sorted = (this.start[i - 1] ?? 0) <= (this.start[i] ?? 0);
    if (sorted) return;
    const slices: Slice[] = [];
    for (let i = first; i < last; ++i) slices.push(this.at(i));
    slices.sort((a, b) => a.start - b.start);
    slices.forEach((slice, i) => {
      this.start[first + i] = slice.start;
      this.end[first + i] = slice.end;
      this.name[first + i] = slice.name;
      this.count[first + i] = slice.count;
      this.id[first + i] = slice.id;
    });
  }
}
