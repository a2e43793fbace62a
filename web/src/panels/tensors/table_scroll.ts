// Scrolling through any number of rows or columns of the same size. If all of them would be higher
// than browsers allow, the scroll bar moves through them proportionally.
//
// count, size: of the items; seen: pixels that show them; scrolled: position of the scroll bar.

export const MOST = 8_000_000; // Pixels that browsers can scroll reliably.

// The visible items: the first, and one past the last.
export function itemsIn(
  scrolled: number,
  seen: number,
  count: number,
  size: number,
): [number, number] {
  const fits = Math.ceil(seen / size) + 1;
  const whole = count * size;
  const at =
    whole <= MOST
      ? scrolled / size
      : (scrolled / Math.max(1, MOST - seen)) * Math.max(0, count - seen / size);
  const first = Math.max(0, Math.min(count - 1, Math.floor(at)));
  return [first, Math.min(count, first + fits)];
}

// Scroll position that makes one item of `count` visible.
export function scrolledTo(
  scrolled: number,
  at: number,
  count: number,
  size: number,
  seen: number,
): number {
  if (count * size > MOST) return (at / Math.max(1, count - seen / size)) * (MOST - seen);
  if (at * size < scrolled) return at * size;
  return (at + 1) * size > scrolled + seen ? (at + 1) * size - seen : scrolled;
}
