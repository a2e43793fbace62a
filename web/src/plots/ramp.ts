// Color ramps with evenly changing lightness: readable in grayscale, in print, and without telling
// red from green.

export type RampKind = 'sequential' | 'diverging' | 'log';

type Rgb = readonly [number, number, number];

// Small values are close to the page's background: light pages start light, dark pages dark.
const SEQUENTIAL_LIGHT: Rgb[] = [
  [239, 244, 250],
  [190, 215, 232],
  [116, 176, 212],
  [45, 125, 180],
  [14, 78, 132],
  [8, 34, 74],
];
const SEQUENTIAL_DARK: Rgb[] = [
  [30, 38, 50],
  [24, 66, 108],
  [26, 106, 150],
  [70, 156, 178],
  [150, 205, 178],
  [250, 241, 170],
];
// Blue below, orange above.
const DIVERGING_LIGHT: Rgb[] = [
  [12, 60, 120],
  [60, 136, 196],
  [168, 207, 230],
  [243, 243, 241],
  [250, 199, 145],
  [219, 112, 28],
  [120, 48, 4],
];
const DIVERGING_DARK: Rgb[] = [
  [150, 212, 250],
  [60, 140, 206],
  [30, 74, 116],
  [38, 44, 52],
  [116, 62, 20],
  [218, 122, 44],
  [255, 206, 140],
];

const SHADES = 256;

function table(stops: readonly Rgb[]): Uint32Array {
  const shades = new Uint32Array(SHADES);
  for (let i = 0; i < SHADES; ++i) {
    const at = (i / (SHADES - 1)) * (stops.length - 1);
    const from = stops[Math.floor(at)] ?? [0, 0, 0];
    const to = stops[Math.ceil(at)] ?? from;
    const part = at - Math.floor(at);
    const [r, g, b] = [0, 1, 2].map((k) =>
      Math.round((from[k] ?? 0) + ((to[k] ?? 0) - (from[k] ?? 0)) * part),
    );
    // As ImageData has it on the little-endian machines that there are: a, b, g, r from the top.
    shades[i] = (0xff000000 | ((b ?? 0) << 16) | ((g ?? 0) << 8) | (r ?? 0)) >>> 0;
  }
  return shades;
}

const TABLES = new Map<Rgb[], Uint32Array>();

export interface Ramp {
  readonly shades: Uint32Array; // 256.
  readonly nothing: Rgb; // Not measured.
  readonly hatch: Rgb;
  // From 0 to 1; NaN without a value.
  place: (value: number) => number;
  // The value at a position of the ramp.
  value: (part: number) => number;
}

const NOTHING = {
  light: { nothing: [246, 246, 246], hatch: [216, 219, 223] },
  dark: { nothing: [33, 38, 45], hatch: [58, 65, 74] },
} as const;

function scaleOf(
  kind: RampKind,
  [low, high]: readonly [number, number],
): Pick<Ramp, 'place' | 'value'> {
  if (kind === 'log') {
    const top = Math.log10(high > 0 ? high : 1);
    const foot = low > 0 ? Math.log10(low) : top - 6;
    const span = top - foot || 1;
    // Zero is the lowest value of a log ramp; it is not "not measured".
    const place = (value: number): number =>
      value > 0 ? (Math.log10(value) - foot) / span : Number.isNaN(value) ? NaN : 0;
    return { place, value: (part) => 10 ** (foot + part * span) };
  }
  const [from, to] =
    kind === 'diverging'
      ? [-Math.max(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))]
      : [low, high];
  const span = to - from || 1;
  return { place: (value) => (value - from) / span, value: (part) => from + part * span };
}

export function makeRamp(kind: RampKind, range: readonly [number, number], dark: boolean): Ramp {
  const stops =
    kind === 'diverging'
      ? dark
        ? DIVERGING_DARK
        : DIVERGING_LIGHT
      : dark
        ? SEQUENTIAL_DARK
        : SEQUENTIAL_LIGHT;
  const shades = TABLES.get(stops) ?? table(stops);
  TABLES.set(stops, shades);
  return { shades, ...NOTHING[dark ? 'dark' : 'light'], ...scaleOf(kind, range) };
}

export const shadeOf = (ramp: Ramp, part: number): number =>
  ramp.shades[part <= 0 ? 0 : part >= 1 ? SHADES - 1 : Math.round(part * (SHADES - 1))] ?? 0;

// For values without a place on the scale: infinite, or marked as such. No ramp contains magenta.
export const BROKEN = 0xffb000d8;

export const cssOf = (shade: number): string =>
  `rgb(${shade & 255}, ${(shade >> 8) & 255}, ${(shade >> 16) & 255})`;

// Minimum and maximum of the finite values; for log ramps, of the positive ones.
export function rangeOf(values: ArrayLike<number>, kind: RampKind): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; ++i) {
    const value = values[i] as number;
    if (!Number.isFinite(value) || (kind === 'log' && value <= 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}
