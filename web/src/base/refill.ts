// Replaces what is in a box without losing the reader's place.

const CONTROLS = 'a[href], button, input, select, summary';

export const controlsIn = (box: ParentNode): HTMLElement[] => [
  ...box.querySelectorAll<HTMLElement>(CONTROLS),
];

// If a control in the box has the focus, the one in its place gets it: the control itself may be
// gone, such as the button that removed what it stood for.
export function refill(box: HTMLElement, ...content: (Node | string)[]): void {
  const at = controlsIn(box).findIndex((one) => one === document.activeElement);
  box.replaceChildren(...content);
  if (at < 0) return;
  const controls = controlsIn(box);
  controls[Math.min(at, controls.length - 1)]?.focus({ preventScroll: true });
}
