// Buttons above a plot that have a picture instead of words.

import { html, svg } from '../base/dom';

const ICONS = {
  table: 'M2 3h12v10H2zM2 6.5h12M2 10h12M7 3v10',
  full: 'M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  pin: 'M5 2.5h6M6 2.5v4L4 9.5h8l-2-3v-4M8 9.5v4.5',
  move: 'M6 3.5h.01M10 3.5h.01M6 8h.01M10 8h.01M6 12.5h.01M10 12.5h.01',
};

export function iconButton(icon: keyof typeof ICONS, label: string): HTMLButtonElement {
  const button = html('button', {
    type: 'button',
    class: `plot-tool plot-icon plot-icon-${icon}`,
  });
  nameTool(button, label);
  const path = svg('path', { d: ICONS[icon] });
  button.append(svg('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, path));
  return button;
}

export function nameTool(button: HTMLButtonElement, label: string): void {
  button.setAttribute('aria-label', label);
  button.title = label;
}
