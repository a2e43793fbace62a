// Requests utilization and counters for the window that is shown.

import { below, type Client } from '../../api/client';
import type { HostClock, MetricList } from '../../api/types';
import { Latest } from '../common/latest';
import { type Counter, type CounterData, countersOf } from './model/counters';
import type { Range } from './model/time_window';

const AT_ONCE = 64; // Metric keys.

export class CounterStore {
  counters: Counter[] = [];
  // By how much the times of hosts are moved. Metrics have the times of their machines.
  clocks: readonly HostClock[] = [];
  private readonly list = new Latest();
  private readonly series = new Map<string, Latest>(); // By node.
  private readonly data = new Map<string, CounterData>(); // By id.
  private readonly asked = new Map<string, string>(); // By node: what was asked for last.

  // `listed` is called when the counters are known, `arrived` when there is something to draw.
  constructor(
    private readonly client: Client,
    private readonly run: string,
    private readonly listed: () => void,
    private readonly arrived: () => void,
  ) {}

  load(): void {
    if (this.list.waiting) return;
    this.list.ask<MetricList>(
      (signal) => this.client.get(below(this.run, 'metrics'), { signal }),
      (list) => {
        const before = this.counters.map(({ id }) => id).join();
        this.counters = countersOf(list);
        this.asked.clear(); // There may be more of the same window.
        if (this.counters.map(({ id }) => id).join() !== before) this.listed();
      },
      () => undefined, // The timeline works without them.
    );
  }

  of(counter: Counter): CounterData | undefined {
    return this.data.get(counter.id);
  }

  // The visible counters, at one value per two pixels. start: of the timeline, in microseconds
  // since 1970. What is there already is drawn until the answer comes.
  want(visible: readonly Counter[], [from, to]: Range, start: number, pixels: number): void {
    const beside = (to - from) / 2; // So that moving a little shows no gap.
    const points = Math.max(50, Math.min(4000, Math.round(pixels)));
    for (const node of new Set(visible.map((one) => one.node))) {
      const counters = visible.filter((one) => one.node === node).slice(0, AT_ONCE);
      const key = counters.map((one) => one.key);
      const moved = this.clocks.find(({ metrics }) => metrics === node)?.moved ?? 0;
      const zero = start - moved; // When the timeline starts, by the clock of the machine.
      const query = { from: (zero + from - beside) / 1e6, to: (zero + to + beside) / 1e6, points };
      const words = JSON.stringify([query, key]);
      if (this.asked.get(node) === words) continue;
      this.asked.set(node, words);
      this.ask(node, counters, { ...query, node, key }, zero);
    }
  }

  close(): void {
    this.list.giveUp();
    for (const one of this.series.values()) one.giveUp();
  }

  private ask(
    node: string,
    counters: readonly Counter[],
    query: Record<string, string | number | string[]>,
    zero: number,
  ): void {
    const latest = this.series.get(node) ?? new Latest();
    this.series.set(node, latest);
    latest.ask(
      (signal) =>
        this.client.columns<unknown>(below(this.run, 'metrics/series'), { query, signal }),
      (answer) => {
        counters.forEach((counter, i) => {
          this.data.set(counter.id, {
            times: Float64Array.from(answer.column(`x${i}`), (seconds) => seconds * 1e6 - zero),
            values: Float64Array.from(answer.column(`mean${i}`)),
          });
        });
        this.arrived();
      },
      () => this.asked.delete(node),
    );
  }
}
