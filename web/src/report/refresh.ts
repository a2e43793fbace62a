// The page of a running job reloads itself and keeps the scroll position.

import { html } from '../base/dom';

const SECONDS = 30;
const KEY = 'tensorwarden-scroll';

interface Kept {
  [KEY]?: number;
}

// Reloading does not work if the page is embedded in another, or in the dashboard's sandboxed
// frame. The dashboard offers newer versions itself.
const isWithin = (): boolean =>
  location.protocol === 'about:' || (self !== top && self.origin === 'null');

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
