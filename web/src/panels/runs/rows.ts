// Renders only the visible rows. The page scrolls; the rows above and below are replaced by empty
// space.

import { html } from '../../base/dom';

export interface RowMaker<T> {
  make: (item: T, index: number) => HTMLTableRowElement;
  key: (item: T) => string;
}

const BEYOND = 10; // Extra rows above and below, so fast scrolling shows no gap.

// The rows to make: first, and one past the last. top: pixels of the list above the window.
export function rowsIn(
  top: number,
  visible: number,
  height: number,
  count: number,
): [number, number] {
  const inside = (row: number): number => Math.max(0, Math.min(count, row));
  return [
    inside(Math.floor(top / height) - BEYOND),
    inside(Math.ceil((top + visible) / height) + BEYOND),
  ];
}

export class SeenRows<T> {
  private items: readonly T[] = [];
  private readonly rows = new Map<string, HTMLTableRowElement>();
  private readonly above = html('tr', { class: 'runs-room', 'aria-hidden': 'true' });
  private readonly below = html('tr', { class: 'runs-room', 'aria-hidden': 'true' });
  private height = 40;
  private frame = 0;
  private readonly scrolled = (): void => {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.draw());
  };

  constructor(
    private readonly body: HTMLTableSectionElement,
    private readonly maker: RowMaker<T>,
  ) {
    // Also of the table, which scrolls by itself if its columns are wider than the page.
    window.addEventListener('scroll', this.scrolled, { passive: true, capture: true });
    window.addEventListener('resize', this.scrolled);
  }

  // Rebuilds the rows: their contents may have changed.
  set(items: readonly T[]): void {
    this.items = items;
    this.rows.clear();
    this.draw();
  }

  row(index: number): HTMLTableRowElement | undefined {
    const item = this.items[index];
    return item === undefined ? undefined : this.rows.get(this.maker.key(item));
  }

  // Scrolls as little as possible. top: pixels covered at the top of what scrolls: the window, or
  // the box around the table.
  reveal(index: number, top: number, box: HTMLElement | null = null): void {
    const scroller = box ?? window;
    const bottom = box?.getBoundingClientRect().bottom ?? window.innerHeight;
    const start = this.body.getBoundingClientRect().top + index * this.height;
    if (start < top) scroller.scrollBy(0, start - top);
    else if (start + this.height > bottom) scroller.scrollBy(0, start + this.height - bottom + 8);
    this.draw();
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    window.removeEventListener('scroll', this.scrolled, { capture: true });
    window.removeEventListener('resize', this.scrolled);
  }

  private draw(): void {
    this.frame = 0;
    const top = -this.body.getBoundingClientRect().top;
    const [first, last] = rowsIn(top, window.innerHeight, this.height, this.items.length);
    const focused = document.activeElement;
    const seen = new Map<string, HTMLTableRowElement>();
    for (let index = first; index < last; ++index) {
      const item = this.items[index] as T;
      const key = this.maker.key(item);
      seen.set(key, this.rows.get(key) ?? this.maker.make(item, index));
    }
    this.rows.clear();
    for (const [key, row] of seen) this.rows.set(key, row);
    this.above.style.height = `${first * this.height}px`;
    this.below.style.height = `${Math.max(0, this.items.length - last) * this.height}px`;
    this.place([this.above, ...seen.values(), this.below]);
    if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement)
      focused.focus({ preventScroll: true });
    this.measure(seen.values().next().value);
  }

  // Keeps rows that stay in place: removing a focused row would lose the focus.
  private place(wanted: HTMLTableRowElement[]): void {
    const keep = new Set<Element>(wanted);
    for (const child of [...this.body.children]) if (!keep.has(child)) child.remove();
    wanted.forEach((row, index) => {
      if (this.body.children[index] !== row)
        this.body.insertBefore(row, this.body.children[index] ?? null);
    });
  }

  // All rows have the same height, which depends on the reader's font.
  private measure(row: HTMLTableRowElement | undefined): void {
    const height = row?.getBoundingClientRect().height ?? 0;
    if (height > 0 && Math.abs(height - this.height) > 0.5) {
      this.height = height;
      this.scrolled();
    }
  }
}
