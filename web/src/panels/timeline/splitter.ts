// The bar above the details. Drag it, or use the arrow keys, to resize them.

import { html } from '../../base/dom';

const LEAST = 44; // Pixels: only the tabs.
const STEP = 32;

export function splitter(below: HTMLElement): HTMLElement {
  const line = html('div', {
    class: 'timeline-split',
    role: 'separator',
    tabindex: 0,
    'aria-label': 'Resize the details pane',
    'aria-orientation': 'horizontal',
    'aria-valuemin': LEAST,
    'aria-valuenow': 208,
  });
  const most = (): number => Math.max(LEAST, (below.parentElement?.clientHeight ?? 600) - 330);
  const set = (height: number): void => {
    const now = Math.round(Math.min(most(), Math.max(LEAST, height)));
    below.style.flexBasis = `${now}px`;
    line.setAttribute('aria-valuenow', String(now));
    line.setAttribute('aria-valuemax', String(most()));
  };
  let begun: { y: number; height: number } | null = null;
  line.addEventListener('pointerdown', (event) => {
    line.setPointerCapture(event.pointerId);
    begun = { y: event.clientY, height: below.offsetHeight };
  });
  line.addEventListener('pointermove', (event) => {
    if (begun) set(begun.height + begun.y - event.clientY);
  });
  for (const name of ['pointerup', 'pointercancel'])
    line.addEventListener(name, () => (begun = null));
  line.addEventListener('dblclick', () => set(below.offsetHeight > LEAST + 8 ? LEAST : 208));
  line.addEventListener('keydown', (event) => {
    const by = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    set(below.offsetHeight + by);
  });
  return line;
}
