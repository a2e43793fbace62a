// Moves an element among others of its container: by dragging a handle, or with the arrow keys on
// it. While it is dragged only transforms change: nothing is laid out.

import { dropPlace, keyPlace, scrollBy } from './move_place';

export interface Movable {
  handle: HTMLElement;
  element: HTMLElement;
  others: () => HTMLElement[]; // All of the container, in their order, with the element.
  move: (to: number) => void; // To the place of the one with that index.
}

class Drag {
  private readonly all: HTMLElement[];
  private readonly boxes: DOMRect[];
  private readonly scrolled = window.scrollY;
  private readonly listening = new AbortController();
  private pointer: { x: number; y: number };
  private frame = 0;
  private to = -1;

  constructor(
    private readonly what: Movable,
    private readonly start: PointerEvent,
  ) {
    this.all = what.others();
    this.boxes = this.all.map((one) => one.getBoundingClientRect());
    this.pointer = { x: start.clientX, y: start.clientY };
    const { signal } = this.listening;
    const { handle, element } = what;
    handle.setPointerCapture(start.pointerId);
    element.classList.add('common-moving');
    handle.addEventListener(
      'pointermove',
      ({ clientX: x, clientY: y }) => {
        this.pointer = { x, y };
        this.soon();
      },
      { signal },
    );
    handle.addEventListener('pointerup', () => this.end(true), { signal });
    handle.addEventListener('pointercancel', () => this.end(false), { signal });
    addEventListener('keydown', (event) => event.key === 'Escape' && this.end(false), { signal });
  }

  private soon(): void {
    this.frame ||= requestAnimationFrame(() => this.show());
  }

  private show(): void {
    this.frame = 0;
    const { x, y } = this.pointer;
    const scroll = scrollBy(y, window.innerHeight);
    if (scroll !== 0) {
      window.scrollBy(0, scroll);
      this.soon();
    }
    const down = window.scrollY - this.scrolled;
    const [right, below] = [x - this.start.clientX, y - this.start.clientY + down];
    this.what.element.style.transform = `translate(${right}px, ${below}px)`;
    const to = dropPlace(this.boxes, x, y + down);
    if (to === this.to) return;
    this.all[this.to]?.classList.remove('common-drop');
    this.to = to;
    if (this.all[to] !== this.what.element) this.all[to]?.classList.add('common-drop');
  }

  private end(drop: boolean): void {
    this.listening.abort();
    cancelAnimationFrame(this.frame);
    if (drop && this.to === -1) this.to = this.all.indexOf(this.what.element);
    const { element, move } = this.what;
    element.classList.remove('common-moving');
    element.style.transform = '';
    this.all[this.to]?.classList.remove('common-drop');
    if (drop && this.all[this.to] !== element && this.to >= 0) move(this.to);
  }
}

export function movable(what: Movable): void {
  const { handle, element } = what;
  handle.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.focus();
    new Drag(what, event);
  });
  handle.addEventListener('keydown', (event) => {
    const all = what.others();
    const from = all.indexOf(element);
    const to = keyPlace(event.key, from, all.length);
    if (to === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (to === from) return;
    what.move(to);
    handle.focus({ preventScroll: true }); // It was lost while the element moved.
    element.scrollIntoView({ block: 'nearest' });
  });
}
