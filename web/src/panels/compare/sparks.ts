// Sparklines of both series for the visible rows: requested together and cached.

import type { Client } from '../../api/client';
import type { Mode } from '../../api/types';
import { palette } from '../../plots/palette';
import type { PlotSeries } from '../../plots/series_plot';
import { askSeries, plotted, type Wanted } from '../common/series';

const AT_ONCE = 32;
const PAUSE = 120; // Milliseconds: rows that are only scrolled past are not requested.
const POINTS = 100;

type Pair = [PlotSeries | null, PlotSeries | null];

export class Sparks {
  private readonly known = new Map<string, Pair>();
  private readonly asking = new AbortController();
  private wanted = new Map<string, Wanted>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: Client,
    private readonly runs: readonly [string, string],
    private readonly mode: Mode,
    private readonly came: () => void,
  ) {}

  get(tensor: string, statistic: string): Pair | null {
    const pair = this.known.get(tensor);
    if (pair) return pair;
    this.wanted.set(tensor, { tensor, statistic });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), PAUSE);
    return null;
  }

  close(): void {
    clearTimeout(this.timer);
    this.asking.abort();
  }

  private async ask(): Promise<void> {
    const wanted = [...this.wanted.values()].slice(-AT_ONCE);
    this.wanted = new Map();
    const { signal } = this.asking;
    const asked = { from: undefined, to: undefined, points: POINTS };
    const answers = await Promise.all(
      this.runs.map((run) =>
        askSeries(this.client, { run, wanted, mode: this.mode, worker: '', asked }, signal),
      ),
    );
    if (signal.aborted) return;
    const lines = answers.map((answer) => {
      const names = wanted.map((_, i) => String(i));
      return new Map(
        answer.ok ? plotted(answer.value, names).map((series) => [series.name, series]) : [],
      );
    });
    wanted.forEach(({ tensor }, i) =>
      this.known.set(tensor, [lines[0]?.get(String(i)) ?? null, lines[1]?.get(String(i)) ?? null]),
    );
    this.came();
  }
}

const finite = (values: ArrayLike<number>): number[] => Array.from(values).filter(Number.isFinite);

// colours: of the two series.
export function drawSpark(
  canvas: HTMLCanvasElement,
  pair: Pair,
  colours: readonly [number, number],
): void {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.width / ratio, canvas.height / ratio];
  const context = canvas.getContext('2d');
  const there = pair.filter((series): series is PlotSeries => series !== null);
  const values = there.flatMap(({ low, high }) => [...finite(low), ...finite(high)]);
  if (!context || values.length === 0) return;
  let [low, high] = [Math.min(...values), Math.max(...values)];
  // Values that span powers of ten use a log scale.
  const change = low > 0 && high / low > 100 ? Math.log10 : (value: number): number => value;
  [low, high] = [change(low), change(high)];
  const [first, last] = [
    Math.min(...there.map(({ x }) => x[0] ?? Infinity)),
    Math.max(...there.map(({ x }) => x[x.length - 1] ?? -Infinity)),
  ];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.lineWidth = 1.3;
  pair.forEach((series, i) => {
    if (!series) return;
    context.strokeStyle = palette().series[(colours[i] ?? i) % 8] ?? palette().text;
    context.beginPath();
    let down = false;
    for (let k = 0; k < series.x.length; ++k) {
      const value = change(((series.low[k] ?? NaN) + (series.high[k] ?? NaN)) / 2);
      if (!Number.isFinite(value)) {
        down = false;
        continue;
      }
      const x = 2 + (((series.x[k] ?? 0) - first) / (last - first || 1)) * (width - 4);
      const y =
        high > low ? height - 3 - ((value - low) / (high - low)) * (height - 6) : height / 2;
      if (down) context.lineTo(x, y);
      else context.moveTo(x, y);
      down = true;
    }
    context.stroke();
  });
}
