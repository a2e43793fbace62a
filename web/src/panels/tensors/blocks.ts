// The values of a large table, loaded in blocks as they become visible.

import type { Client } from '../../api/client';
import { type Axis, axesOf } from './slices';
import type { Desk } from './state';
import { askValue, placeOf } from './value';
import type { Cells } from './value_table';

const ROWS = 200;
const COLUMNS = 100;
const KEPT = 60; // Cached blocks: 10 MB at most.
const PAUSE = 80; // Milliseconds: blocks that are only scrolled past are not requested.

export class Blocks implements Cells {
  readonly rows: Axis;
  readonly columns: Axis | null;
  // null: failed; not requested again.
  private readonly blocks = new Map<string, ArrayLike<number> | null>();
  private readonly asking = new AbortController();
  private wanted = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  // parts: the slice; the last two (or the last one) that are not single indices form the table.
  constructor(
    private readonly client: Client,
    private readonly desk: Desk,
    private readonly tensor: string,
    private readonly step: number,
    private readonly parts: readonly string[],
    shape: readonly number[],
    private readonly came: () => void,
  ) {
    const axes = axesOf(parts, shape).filter(({ single }) => !single);
    this.rows = axes[0] ?? { size: 1, start: 0, step: 1, length: 1, single: false };
    this.columns = axes[1] ?? null;
  }

  at(row: number, column: number): number | string | undefined {
    const [blockRow, blockColumn] = [Math.floor(row / ROWS), Math.floor(column / COLUMNS)];
    const key = `${blockRow},${blockColumn}`;
    const block = this.blocks.get(key);
    if (block === null) return '–';
    if (block === undefined) {
      this.wanted.add(key);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.askWanted(), PAUSE);
      return undefined;
    }
    const wide = Math.min(COLUMNS, (this.columns?.length ?? 1) - blockColumn * COLUMNS);
    return block[(row - blockRow * ROWS) * wide + (column - blockColumn * COLUMNS)];
  }

  close(): void {
    clearTimeout(this.timer);
    this.asking.abort();
  }

  // Called after drawing: the table has requested exactly what is visible.
  private askWanted(): void {
    const wanted = [...this.wanted].slice(-6);
    this.wanted = new Set();
    for (const key of wanted) void this.ask(key);
  }

  private async ask(key: string): Promise<void> {
    const [blockRow = 0, blockColumn = 0] = key.split(',').map(Number);
    const slice = this.sliceOf(blockRow, blockColumn);
    const answer = await askValue(
      this.client,
      this.desk,
      this.tensor,
      this.step,
      slice,
      this.asking.signal,
    );
    if (this.asking.signal.aborted) return;
    for (const old of [...this.blocks.keys()].slice(0, Math.max(0, this.blocks.size - KEPT)))
      this.blocks.delete(old);
    this.blocks.set(key, answer.ok ? answer.value.column('values') : null);
    if (!answer.ok) this.desk.announce(answer.error.message, 'warning');
    this.came();
  }

  private sliceOf(blockRow: number, blockColumn: number): string {
    const range = (axis: Axis, from: number, most: number): string => {
      const [first, last] = [
        placeOf(axis, from),
        placeOf(axis, Math.min(axis.length, from + most) - 1),
      ];
      const end = last + Math.sign(axis.step);
      return `${first}:${end < 0 ? '' : end}:${axis.step}`;
    };
    let shown = 0;
    return this.parts
      .map((part) => {
        if (!part.includes(':')) return part;
        const isRow = shown++ === 0;
        const axis = isRow ? this.rows : this.columns;
        if (!axis) return part;
        return isRow
          ? range(axis, blockRow * ROWS, ROWS)
          : range(axis, blockColumn * COLUMNS, COLUMNS);
      })
      .join(',');
  }
}
