// What is requested of a tensor that is too large to show.

import { shownAxes, thinned, type View } from './slices';
import { MOST_VALUES } from './value';

// Reduces the slice to what can be sent and shown at once; channels: how many images. Returns the
// stride.
export function fitParts(
  parts: string[],
  shape: readonly number[],
  view: View,
  channels: number,
): number {
  const rank = shape.length;
  const first = rank - shownAxes(view, rank);
  if (view === 'table' || view === 'line')
    return view === 'line' ? thinned(parts, shape, [rank - 1], MOST_VALUES) : 1;
  const many = {
    image: -1,
    channels: first,
    'channels-last': rank - 1,
    images: first,
    'images-last': first,
  }[view];
  if (many >= 0 && parts[many] === ':' && (shape[many] ?? 0) > channels)
    parts[many] = `0:${channels}`;
  const plane = {
    image: [first, first + 1],
    channels: [first + 1, first + 2],
    'channels-last': [first, first + 1],
    images: [rank - 2, rank - 1],
    'images-last': [rank - 3, rank - 2],
  }[view];
  return thinned(parts, shape, plane, MOST_VALUES);
}
