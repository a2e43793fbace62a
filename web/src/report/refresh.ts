// The page of a job that still runs loads itself again, at the place where the reader is.

import { html } from '../base/dom';

const SECONDS = 30;
const KEY = 'tensorwarden-scroll';

interface Kept {
  [KEY]?: number;
}

// Loading again is no use where the page is a copy within another.
const isCopy = (): boolean => location.protocol === 'about:';

export function refreshWhileRunning(controls: HTMLElement | null): void {
  const place = (history.state as Kept | null)?.[KEY];
  if (typeof place === 'number') {
    scrollTo({ top: place, behavior: 'instant' as ScrollBehavior });
    history.replaceState(null, '');
  }
  if (!document.querySelector('header[data-running]') || isCopy()) return;
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
