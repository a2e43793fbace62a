// Draws utilization and counters: an area under the values, as steps from sample to sample.

import type { CounterData } from './model/counters';
import { type Counter, topOf } from './model/counters';
import type { Palette } from './model/palette';
import type { Lane } from './lanes';
import type { Screen } from './painter';

const INSIDE = 3; // CSS pixels above and below.

export function drawCounters(
  context: CanvasRenderingContext2D,
  screen: Screen,
  lanes: readonly Lane[],
  dataOf: (counter: Counter) => CounterData | undefined,
  palette: Palette,
): void {
  for (const lane of lanes) {
    const data = lane.counter && dataOf(lane.counter);
    if (lane.counter && data) drawOne(context, screen, lane, lane.counter, data, palette);
  }
}

function drawOne(
  context: CanvasRenderingContext2D,
  screen: Screen,
  lane: Lane,
  counter: Counter,
  data: CounterData,
  palette: Palette,
): void {
  const { ratio, from, to, width } = screen;
  const scale = width / (to - from);
  const bottom = (lane.y + lane.height - INSIDE - screen.scroll) * ratio;
  const height = (lane.height - 2 * INSIDE) * ratio;
  const top = topOf(counter, data, from, to);
  const y = (value: number): number => bottom - Math.min(1, Math.max(0, value / top)) * height;
  const line = new Path2D();
  const area = new Path2D();
  let before: number | null = null; // The x of the sample before, within a stretch of samples.
  let last = bottom;
  const end = (): void => {
    if (before !== null) area.lineTo(before, bottom);
    before = null;
  };
  for (let i = 0; i < data.times.length; ++i) {
    const time = data.times[i] ?? 0;
    const value = data.values[i] ?? NaN;
    const next = data.times[i + 1];
    if (next !== undefined && next < from) continue;
    if (time > to && before === null) break;
    if (Number.isNaN(value)) {
      end();
      continue;
    }
    const x = Math.max(-2, Math.min(width + 2, (time - from) * scale));
    if (before === null) {
      area.moveTo(x, bottom);
      line.moveTo(x, y(value));
    } else {
      area.lineTo(x, last);
      line.lineTo(x, last);
      line.lineTo(x, y(value));
    }
    area.lineTo(x, y(value));
    before = x;
    last = y(value);
    if (time > to) break;
  }
  end();
  context.fillStyle = palette.css.accent;
  context.globalAlpha = 0.25;
  context.fill(area);
  context.globalAlpha = 1;
  context.strokeStyle = palette.css.accent;
  context.lineWidth = Math.max(1, ratio);
  context.stroke(line);
}
