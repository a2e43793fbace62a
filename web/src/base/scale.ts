// Maps values to pixels and places the ticks of an axis.

export interface Scale {
  (value: number): number;
  invert: (pixel: number) => number;
}

export function linear(from: number, to: number, start: number, end: number): Scale {
  const span = to - from || 1;
  // Clamps far outside values: SVG paths cannot read huge numbers.
  const scale = (value: number): number =>
    Math.min(1e6, Math.max(-1e6, start + ((value - from) / span) * (end - start)));
  return Object.assign(scale, {
    invert: (pixel: number): number => from + ((pixel - start) / (end - start || 1)) * span,
  });
}

const MOST_MARKS = 100;

function marks(from: number, to: number, step: number): number[] {
  const found: number[] = [];
  if (!(step > 0) || !Number.isFinite(to - from)) return found;
  const first = Math.ceil(from / step - 1e-9);
  for (let i = 0; i < MOST_MARKS; ++i) {
    const value = (first + i) * step || 0; // "|| 0": avoids minus zero.
    if (value > to + step * 1e-9) break;
    // Steps too small for floating point lead to the same value again.
    if (value !== found[found.length - 1]) found.push(value);
  }
  return found;
}

// About `count` round numbers.
export function ticks(from: number, to: number, count: number): number[] {
  const raw = (to - from) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw) ?? 10;
  return marks(from, to, step * power);
}

const ROUND_TIMES = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400,
];

// About `count` round times, in seconds.
export function timeTicks(from: number, to: number, count: number): number[] {
  const raw = (to - from) / Math.max(1, count);
  if (raw < 1) return ticks(from, to, count);
  const days = Math.ceil(raw / 86400) * 86400;
  return marks(from, to, ROUND_TIMES.find((step) => step >= raw) ?? days);
}
