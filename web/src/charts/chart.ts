// What all charts share: their element, state that survives resizing, axes, legend, tooltip.

import { html, svg } from '../base/dom';
import type { Scale } from '../base/scale';

// Numbers; null for missing values.
export type Column = (number | null)[];

export interface Place {
  readonly into: HTMLElement; // Empty.
  readonly width: number;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly state: State;
  redraw: () => void;
}

export class State {
  readonly hidden = new Set<number>(); // Indices of series that the reader has hidden.
  zoom: [number, number] | null = null;
  top: number | null = null; // Slices to show.
  withoutRest = false; // Only those slices.
  row: string | null = null; // Of a heat map, that alone.
}

export interface Frame {
  readonly svg: SVGSVGElement;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const COLOURS = 8;
export const colour = (series: number): string => `s${series % COLOURS}`;

export function frame(place: Place, height: number, left: number): Frame {
  const picture = svg('svg', {
    viewBox: `0 0 ${place.width} ${height}`,
    'aria-hidden': 'true',
    focusable: 'false',
  });
  place.into.append(picture);
  return { svg: picture, left, right: place.width - 10, top: 12, bottom: height - 34 };
}

export function text(
  x: number,
  y: number,
  anchor: 'start' | 'middle' | 'end',
  words: string,
): SVGTextElement {
  return svg('text', { x, y, 'text-anchor': anchor }, words);
}

export function yAxis(
  on: Frame,
  scale: Scale,
  at: number[],
  write: (value: number) => string,
): void {
  for (const value of at) {
    const y = scale(value);
    on.svg.append(svg('line', { class: 'grid', x1: on.left, x2: on.right, y1: y, y2: y }));
    on.svg.append(text(on.left - 8, y + 4, 'end', write(value)));
  }
}

export function xAxis(
  on: Frame,
  scale: Scale,
  at: number[],
  write: (value: number) => string,
  label: string,
): void {
  on.svg.append(
    svg('line', { class: 'axis', x1: on.left, x2: on.right, y1: on.bottom, y2: on.bottom }),
  );
  for (const value of at) {
    const x = scale(value);
    if (x < on.left - 1 || x > on.right + 1) continue;
    on.svg.append(svg('line', { class: 'axis', x1: x, x2: x, y1: on.bottom, y2: on.bottom + 4 }));
    const anchor = x > on.right - 16 ? 'end' : x < on.left + 8 ? 'start' : 'middle';
    on.svg.append(text(anchor === 'end' ? on.right : x, on.bottom + 17, anchor, write(value)));
  }
  if (label) {
    const words = text(on.right, on.bottom + 31, 'end', label);
    words.classList.add('label');
    on.svg.append(words);
  }
}

// Buttons that show and hide series.
export function legend(place: Place, names: string[]): void {
  if (names.length < 2) return;
  const list = html('div', { class: 'legend', role: 'group', 'aria-label': 'Series' });
  names.forEach((name, i) => {
    const shown = !place.state.hidden.has(i);
    const button = html(
      'button',
      { type: 'button', class: colour(i), 'aria-pressed': String(shown) },
      html('span', { class: 'swatch', 'aria-hidden': 'true' }),
      name,
    );
    button.addEventListener('click', () => {
      if (shown) place.state.hidden.add(i);
      else place.state.hidden.delete(i);
      place.redraw();
      place.into.querySelectorAll<HTMLElement>('.legend button')[i]?.focus();
    });
    list.append(button);
  });
  place.into.append(list);
}

let tip: HTMLElement | null = null;

export function showTip(event: MouseEvent, lines: string[]): void {
  tip ??= document.body.appendChild(html('div', { class: 'tip', 'aria-hidden': 'true' }));
  tip.replaceChildren(...lines.map((line) => html('div', {}, line)));
  tip.hidden = false;
  const { offsetWidth: width, offsetHeight: height } = tip;
  const x =
    event.clientX + 14 + width > window.innerWidth
      ? event.clientX - 14 - width
      : event.clientX + 14;
  tip.style.left = `${Math.max(4, x)}px`;
  tip.style.top = `${Math.max(4, Math.min(event.clientY + 14, window.innerHeight - height - 4))}px`;
}

export function hideTip(): void {
  if (tip) tip.hidden = true;
}

export function tipOn(element: Element, lines: () => string[]): void {
  element.addEventListener('mousemove', (event) => showTip(event as MouseEvent, lines()));
  element.addEventListener('mouseleave', hideTip);
}

// The name, shortened in the middle to fit.
export function fitted(name: string, pixels: number): string {
  const most = Math.max(4, Math.floor(pixels / 6.6));
  if (name.length <= most) return name;
  const head = Math.ceil((most - 1) / 2);
  return `${name.slice(0, head)}…${name.slice(name.length - (most - 1 - head))}`;
}
