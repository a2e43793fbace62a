// Where something that is dragged goes.

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

// The index of the box that has the point, or whose middle is nearest; -1 if there are none.
export function dropPlace(boxes: readonly Box[], x: number, y: number): number {
  let [best, least] = [-1, Infinity];
  boxes.forEach(({ left, top, width, height }, i) => {
    const inside = x >= left && x <= left + width && y >= top && y <= top + height;
    const apart = inside ? -1 : Math.hypot(x - left - width / 2, y - top - height / 2);
    if (apart < least) [best, least] = [i, apart];
  });
  return best;
}

// The place that a key leads to; null: the key moves nothing.
export function keyPlace(key: string, from: number, count: number): number | null {
  const to = {
    ArrowLeft: from - 1,
    ArrowUp: from - 1,
    ArrowRight: from + 1,
    ArrowDown: from + 1,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}

// Pixels to scroll in a frame, with the pointer at y of a window that is so high.
export function scrollBy(y: number, height: number): number {
  const [edge, fastest] = [60, 18];
  if (y < edge) return -Math.ceil((1 - Math.max(0, y) / edge) * fastest);
  const below = y - (height - edge);
  return below > 0 ? Math.ceil((Math.min(edge, below) / edge) * fastest) : 0;
}
