// The point of several curves that is nearest to the pointer.

interface At {
  readonly x: number;
  readonly y: number;
}

// place: where a point is on the screen. Null: there are no points.
export function nearestPoint<T>(
  curves: readonly { readonly points: readonly T[] }[],
  place: (point: T) => At,
  pointer: At,
): T | null {
  let best: T | null = null;
  let least = Infinity;
  for (const { points } of curves) {
    for (const point of points) {
      const { x, y } = place(point);
      const distance = (x - pointer.x) ** 2 + (y - pointer.y) ** 2;
      if (distance < least) [best, least] = [point, distance];
    }
  }
  return best;
}
