// Asks for what charts show. Of many, only those near the window are loaded; for each run all of them
// with one request.

import type { Client } from '../../api/client';
import type { RunId } from '../../api/types';
import { Paced } from '../../base/paced';
import { askSeries, measured } from '../common/series';
import { sentence } from '../common/states';
import type { XScale } from '../common/x_scale';
import type { Cell, Range } from './cell';

const NEAR = '300px';
const TOGETHER = 40; // Milliseconds in which charts come into view together.
const READING_MS = 700; // Between questions while the server still reads a run.

export interface Wanted {
  runs: { id: RunId; scale: XScale }[];
  range: Range | null; // In units of the x axis.
  worker: string;
}

export class CellSource {
  private readonly cells = new Map<HTMLElement, Cell>(); // By their bodies.
  private readonly watched: IntersectionObserver;
  private readonly reading = new Paced(() => this.soon(), READING_MS);
  private readonly asking = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private questions = 0;

  // wanted: as it is now. came: something was added to what came of the cell.
  constructor(
    private readonly client: Client,
    private readonly wanted: () => Wanted,
    private readonly came: (cell: Cell) => void,
  ) {
    this.watched = new IntersectionObserver((changes) => this.seen(changes), { rootMargin: NEAR });
  }

  add(cell: Cell): void {
    this.cells.set(cell.body, cell);
    if (cell.place.isSmall) this.watched.observe(cell.body);
    else cell.near = true;
    this.soon();
  }

  remove(cell: Cell): void {
    this.watched.unobserve(cell.body);
    this.cells.delete(cell.body);
  }

  // There may be more steps, or others are wanted.
  refresh(cells: Iterable<Cell> = this.cells.values()): void {
    for (const cell of cells) cell.stale = true;
    this.soon();
  }

  close(): void {
    clearTimeout(this.timer);
    this.asking.abort();
    this.reading.stop();
    this.watched.disconnect();
  }

  private seen(changes: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of changes) {
      const cell = this.cells.get(target as HTMLElement);
      if (cell) cell.near = isIntersecting;
    }
    this.soon();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), TOGETHER);
  }

  private ask(): void {
    const due = [...this.cells.values()].filter(({ near, stale }) => near && stale);
    for (const cell of due) cell.stale = false;
    const wanted = this.wanted();
    for (const { id, scale } of wanted.runs)
      for (const cells of together(due)) void this.askRun(id, scale, wanted, cells);
  }

  private async askRun(
    id: RunId,
    scale: XScale,
    { range, worker }: Wanted,
    cells: readonly Cell[],
  ): Promise<void> {
    const [first] = cells;
    if (!first) return;
    const number = ++this.questions;
    const answer = await askSeries(
      this.client,
      {
        run: id,
        wanted: cells.map(({ metric: { tensor, statistic } }) => ({ tensor, statistic })),
        mode: first.metric.mode,
        worker,
        asked: { ...wider(range, scale), points: first.points },
        x: scale.ask,
      },
      this.asking.signal,
    );
    if (this.asking.signal.aborted || worker !== this.wanted().worker) return;
    const problem = answer.ok ? '' : sentence(answer.error.message);
    const told = answer.ok ? answer.value.header.series : [];
    const names = cells.map((_, i) => String(i));
    const all = answer.ok ? measured(answer.value, names, scale.at) : [];
    cells.forEach((cell, i) => {
      const before = cell.came.get(id);
      // An older answer; or none while there is one: the top bar says that the server is gone.
      if (before && (before.number > number || (problem && before.series))) return;
      const series = all.find(({ name }) => name === names[i]) ?? null;
      cell.came.set(id, { number, axis: scale.axis, series, told: told[i] ?? null, problem });
      this.came(cell);
    });
    if (!answer.ok || answer.value.header.ingested?.done !== false) return;
    // What the server is still reading comes with the next question.
    for (const cell of cells) cell.stale = true;
    this.reading.tell();
  }
}

// A third more on both sides, so small moves need no request.
function wider(
  range: Range | null,
  { back }: XScale,
): { from: number | undefined; to: number | undefined } {
  if (!range) return { from: undefined, to: undefined };
  const [from, to] = [back(range[0]), back(range[1])];
  const margin = (to - from) / 3;
  return { from: from - margin, to: to + margin };
}

// What one request can ask for. The statistic of a tensor may be the server's choice: '' for all.
function together(cells: readonly Cell[]): Cell[][] {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const { mode, statistic } = cell.metric;
    const key = JSON.stringify([mode, cell.points, statistic === '']);
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  return [...groups.values()];
}
