// The page of a job that still runs loads itself again, at the place where the reader is.

import { html } from '../base/dom';

const SECONDS = 30;
const KEY = 'tensorwarden-scroll';

interface Kept {
  [KEY]?: number;
}

// Loading again is no use where the page is a copy within another, and in the dashboard, whose frame has
// no right to ask for it again: the dashboard says when there is a newer one.
const isWithin = (): boolean => location.protocol === 'about:' || (self !== top && self.origin === 'null');

export function refreshWhileRunning(controls: HTMLElement | null): void {
  const place = (history.state as Kept | null)?.[KEY];
  if (typeof place === 'number') {
    scrollTo({ top: place, behavior: 'instant' as ScrollBehavior });
    history.replaceState(null, '');
  }
  if (!document.querySelector('header[data-running]') || isWithin()) return;
  let paused = false;
  const button = html('button', { type: 'button', 'aria-pressed': 'false' }, 'Pause updates');
  button.addEventListener('click', () => {
    paused = !paused;
    button.setAttribute('aria-pressed', String(paused));
    button.textContent = paused ? 'Updates paused' : 'Pause updates';
  });
  controls?.prepend(button);
  setInterval(() => {
    if (paused || document.hidden) return;
    history.replaceState({ [KEY]: scrollY }, '');
    location.reload();
  }, SECONDS * 1000);
}
