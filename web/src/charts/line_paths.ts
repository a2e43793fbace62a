// Outlines of lines and bands, with gaps for missing values.

import type { Scale } from '../base/scale';
import type { Column } from './chart';

// A path with gaps for missing values; a value between two gaps becomes a short stroke.
export function linePath(values: Column, x: (i: number) => number, y: Scale): string {
  let path = '';
  let open = false;
  values.forEach((value, i) => {
    if (value === null) {
      open = false;
      return;
    }
    path += `${open ? 'L' : 'M'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
    if (!open && (i + 1 >= values.length || values[i + 1] === null)) path += 'h1';
    open = true;
  });
  return path;
}

// The band between two columns, one piece per stretch without gaps.
export function bandPath(low: Column, high: Column, x: (i: number) => number, y: Scale): string {
  let path = '';
  let piece: number[] = [];
  const close = (): void => {
    if (piece.length > 1) {
      const at = (i: number, of: Column): string =>
        `${x(i).toFixed(1)} ${y(of[i] ?? 0).toFixed(1)}`;
      path += `M${piece.map((i) => at(i, high)).join('L')}L${piece
        .reverse()
        .map((i) => at(i, low))
        .join('L')}Z`;
    }
    piece = [];
  };
  high.forEach((value, i) => {
    if (value === null || low[i] === null || low[i] === undefined) close();
    else piece.push(i);
  });
  close();
  return path;
}
