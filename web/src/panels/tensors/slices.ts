// NumPy slices, one part per axis, and which views suit a shape.

export type View =
  'table' | 'line' | 'image' | 'channels' | 'channels-last' | 'images' | 'images-last';

export const VIEW_WORDS: Record<View, string> = {
  table: 'Table',
  line: 'Line',
  image: 'Image',
  channels: 'Channels',
  'channels-last': 'Channels last',
  images: 'Images',
  'images-last': 'Images, channels last',
};

// How many trailing axes a view shows; the others are chosen by index.
const SHOWN: Record<View, number> = {
  table: 2,
  line: 1,
  image: 2,
  channels: 3,
  'channels-last': 3,
  images: 4,
  'images-last': 4,
};
export const shownAxes = (view: View, rank: number): number => Math.min(rank, SHOWN[view]);

const isColour = (channels: number | undefined): boolean => channels === 1 || channels === 3;

export function viewsOf(shape: readonly number[]): View[] {
  const rank = shape.length;
  const views: View[] = ['table'];
  if (rank >= 1) views.push('line');
  if (rank >= 2) views.push('image');
  if (rank >= 3) views.push('channels', 'channels-last');
  if (rank >= 4 && isColour(shape[rank - 3])) views.push('images');
  if (rank >= 4 && isColour(shape[rank - 1])) views.push('images-last');
  return views;
}

// Images for image-like shapes; small filters are easier to read one by one.
export function usualView(shape: readonly number[]): View {
  const rank = shape.length;
  const [width = 0, height = 0, channels = 0] = [...shape].reverse();
  if (rank <= 1) return (shape[0] ?? 1) > 16 ? 'line' : 'table';
  if (rank === 2) return Math.min(height, width) > 1 && height * width > 64 ? 'image' : 'table';
  if (rank >= 4 && isColour(channels) && Math.min(height, width) >= 8) return 'images';
  if (rank >= 4 && isColour(width) && Math.min(channels, height) >= 8) return 'images-last';
  return 'channels';
}

export interface Axis {
  readonly size: number;
  readonly start: number;
  readonly step: number;
  readonly length: number;
  readonly single: boolean; // A single index: the axis is missing in the answer.
}

// The parts of a slice, one per axis; null if it is invalid.
export function partsOf(slice: string, rank: number): string[] | null {
  const given = slice.trim() === '' ? [] : slice.split(',').map((part) => part.trim());
  const dots = given.indexOf('...');
  const rest = rank - (given.length - (dots < 0 ? 0 : 1));
  if (rest < 0 || given.lastIndexOf('...') !== dots) return null;
  const fill = new Array<string>(rest).fill(':');
  const parts =
    dots < 0 ? [...given, ...fill] : [...given.slice(0, dots), ...fill, ...given.slice(dots + 1)];
  return parts.every((part) => /^(-?\d+|(-?\d+)?:(-?\d+)?(:(-?\d+)?)?)$/.test(part)) ? parts : null;
}

const clamped = (value: number, low: number, high: number): number =>
  Math.max(low, Math.min(high, value));

// The indices that a part selects, by Python's rules.
export function axisOf(part: string, size: number): Axis {
  const [first = '', second, third] = part.split(':');
  if (second === undefined) {
    const at = Number(first) < 0 ? Number(first) + size : Number(first);
    return { size, start: clamped(at, 0, Math.max(0, size - 1)), step: 1, length: 1, single: true };
  }
  const step = third ? Number(third) : 1;
  if (!Number.isInteger(step) || step === 0)
    return { size, start: 0, step: 1, length: 0, single: false };
  const [low, high] = step > 0 ? [0, size] : [-1, size - 1];
  const place = (text: string, usual: number): number => {
    if (text === '') return usual;
    return clamped(Number(text) < 0 ? Number(text) + size : Number(text), low, high);
  };
  const start = place(first, step > 0 ? low : high);
  const end = place(second, step > 0 ? high : low);
  return { size, start, step, length: Math.max(0, Math.ceil((end - start) / step)), single: false };
}

// The slice that a view shows: its leading axes are single indices, 0 unless the reader chose
// another.
export function partsFor(slice: string, shape: readonly number[], view: View): string[] | null {
  const parts = partsOf(slice, shape.length);
  const leading = shape.length - shownAxes(view, shape.length);
  return (
    parts?.map((part, axis) => {
      if (axis >= leading) return part;
      const { start } = axisOf(part, shape[axis] ?? 1);
      return String(start);
    }) ?? null
  );
}

// What is wrong with a slice, as a sentence; '' if nothing is.
export function troubleOf(slice: string, shape: readonly number[]): string {
  const parts = partsOf(slice, shape.length);
  if (!parts)
    return `slice is '${slice}'; expected one NumPy index or range per axis (${shape.length} axes), for example 0,:,10:20`;
  const wrong = parts.findIndex(
    (part, axis) =>
      !part.includes(':') &&
      (Number(part) >= (shape[axis] ?? 0) || Number(part) < -(shape[axis] ?? 0)),
  );
  return wrong < 0
    ? ''
    : `slice: index ${parts[wrong] ?? ''} is out of range for axis ${wrong} of size ${shape[wrong] ?? 0}`;
}

export const axesOf = (parts: readonly string[], shape: readonly number[]): Axis[] =>
  parts.map((part, i) => axisOf(part, shape[i] ?? 1));

export const elementsOf = (axes: readonly Axis[]): number =>
  axes.reduce((product, { length }) => product * length, 1);

// Thins the axes so that at most `most` elements arrive, as far as they can be thinned. Returns the
// stride.
export function thinned(
  parts: string[],
  shape: readonly number[],
  axes: readonly number[],
  most: number,
): number {
  let every = 1;
  while (elementsOf(axesOf(parts, shape)) > most) {
    let changed = false;
    for (const axis of axes) {
      const { start, length, step, size, single } = axisOf(parts[axis] ?? ':', shape[axis] ?? 1);
      if (single || length < 2) continue;
      const end = start + length * step;
      // A negative end would count from the back.
      parts[axis] = `${start}:${end < 0 ? '' : Math.min(size, end)}:${step * 2}`;
      changed = true;
    }
    if (!changed) break;
    every *= 2;
  }
  return every;
}

// As short as possible: trailing whole axes are left out.
export function sliceText(parts: readonly string[]): string {
  let end = parts.length;
  while (end > 0 && parts[end - 1] === ':') --end;
  return parts.slice(0, end).join(',');
}
