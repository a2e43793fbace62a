// Which range a zoomed chart shows.

export type Range = [number, number];

const FINEST = 1e-5; // Of the whole.

// The part of `all` between two times; null: all of it. Undefined if it is too short to show.
export function zoomOf(all: Range, start: number, end: number): Range | null | undefined {
  const range: Range = [Math.max(all[0], start), Math.min(all[1], end)];
  if (!(range[1] - range[0] > (all[1] - all[0]) * FINEST)) return undefined;
  return range[0] <= all[0] && range[1] >= all[1] ? null : range;
}

// The ranges that keys lead to.
export function keyMoves([from, to]: Range, all: Range): Record<string, Range> {
  const span = to - from;
  const left = Math.max(all[0], from - span / 4);
  const right = Math.min(all[1], to + span / 4);
  return {
    '+': [from + span / 4, to - span / 4],
    '-': [from - span / 2, to + span / 2],
    ArrowLeft: [left, left + span],
    ArrowRight: [right - span, right],
    Escape: all,
  };
}
