// Which run of a plot is meant by a place in it.

export type Places = readonly (number | null)[]; // Of a run, on each axis.

// The line that is nearest above or below the pointer. x: in axes, from 0 to the last one's number;
// y: from 0 to 1. within: how far away it may be. -1: none.
export function nearestLine(
  lines: readonly Places[],
  x: number,
  y: number,
  within: number,
): number {
  const left = Math.floor(x);
  const part = x - left;
  let [best, distance] = [-1, within];
  lines.forEach((places, i) => {
    const [a, b] = [places[left] ?? null, places[left + 1] ?? null];
    // At an axis, one end is enough.
    const at = part === 0 || b === null ? a : a === null ? null : a + (b - a) * part;
    if (at === null || (b === null && part > 0.05)) return;
    const away = Math.abs(at - y);
    if (away <= distance) [best, distance] = [i, away];
  });
  return best;
}

// The nearest point; width and height: of the plot, in pixels; within: pixels. -1: none.
export function nearestPoint(
  points: readonly Places[],
  [x, y]: readonly [number, number],
  [width, height]: readonly [number, number],
  within: number,
): number {
  let [best, distance] = [-1, within];
  points.forEach(([px = null, py = null], i) => {
    if (px === null || py === null) return;
    const away = Math.hypot((px - x) * width, (py - y) * height);
    if (away <= distance) [best, distance] = [i, away];
  });
  return best;
}

// The next one upwards or downwards on an axis from the run `from` (-1: none yet); runs at the same
// place are visited in their order. -1: none.
export function nextOn(lines: readonly Places[], axis: number, from: number, by: 1 | -1): number {
  const order = lines
    .map((places, i) => ({ i, at: places[axis] ?? null }))
    .filter((one): one is { i: number; at: number } => one.at !== null)
    .sort((a, b) => a.at - b.at || a.i - b.i);
  if (order.length === 0) return -1;
  const now = order.findIndex(({ i }) => i === from);
  const to = now < 0 ? (by > 0 ? 0 : order.length - 1) : now + by;
  return order[Math.max(0, Math.min(order.length - 1, to))]?.i ?? -1;
}
