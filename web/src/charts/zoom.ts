// Zooming a chart over time, by dragging and by keyboard, and the tooltip at the pointer.

import { svg } from '../base/dom';
import type { Scale } from '../base/scale';
import { type Frame, hideTip, type Place, showTip } from './chart';
import { keyMoves, type Range, zoomOf } from './zoom_range';

// Shows another range, clamped to the data.
function zoomTo(place: Place, all: Range, start: number, end: number): void {
  const zoom = zoomOf(all, start, end);
  if (zoom === undefined) return;
  place.state.zoom = zoom;
  place.redraw();
  place.into.querySelector<SVGElement>('svg[tabindex]')?.focus({ preventScroll: true });
}

function byKeyboard(on: Frame, place: Place, all: Range): void {
  on.svg.setAttribute('tabindex', '0');
  on.svg.removeAttribute('aria-hidden');
  on.svg.removeAttribute('focusable');
  on.svg.setAttribute('role', 'img');
  on.svg.setAttribute(
    'aria-label',
    'Line chart over time. Plus and minus zoom in and out, arrow keys move, Escape shows everything.',
  );
  const moves = keyMoves(place.state.zoom ?? all, all);
  on.svg.addEventListener('keydown', (event) => {
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    zoomTo(place, all, move[0], move[1]);
  });
}

// `tell` returns the tooltip text for a time.
export function zoomable(
  on: Frame,
  place: Place,
  x: Scale,
  all: Range,
  tell: (time: number) => string[],
): void {
  byKeyboard(on, place, all);
  const pixel = (event: MouseEvent): number => {
    const box = on.svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * place.width;
    return Math.min(on.right, Math.max(on.left, at));
  };
  const cursor = svg('line', { class: 'cursor', y1: on.top, y2: on.bottom });
  const selection = svg('rect', { class: 'selection', y: on.top, height: on.bottom - on.top });
  let begun: number | null = null;
  on.svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    begun = pixel(event);
    on.svg.setPointerCapture(event.pointerId);
  });
  on.svg.addEventListener('pointermove', (event) => {
    const at = pixel(event);
    cursor.setAttribute('x1', String(at));
    cursor.setAttribute('x2', String(at));
    on.svg.append(cursor);
    showTip(event, tell(x.invert(at)));
    if (begun === null) return;
    selection.setAttribute('x', String(Math.min(at, begun)));
    selection.setAttribute('width', String(Math.abs(at - begun)));
    on.svg.append(selection);
  });
  on.svg.addEventListener('pointerup', (event) => {
    const at = pixel(event);
    const start = begun;
    begun = null;
    selection.remove();
    if (start === null || Math.abs(at - start) <= 6) return;
    zoomTo(place, all, x.invert(Math.min(at, start)), x.invert(Math.max(at, start)));
  });
  on.svg.addEventListener('pointerleave', () => {
    cursor.remove();
    hideTip();
  });
}
