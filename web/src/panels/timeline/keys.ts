// Keyboard control of the timeline.

import { html } from '../../base/dom';
import type { TimeWindow } from './model/time_window';

export interface KeyActions {
  frame: () => void; // Zooms to the selection, or the range, or everything.
  clear: () => void;
  search: () => void;
  help: () => void;
  hit: (by: 1 | -1) => void;
  neighbour: (by: 1 | -1) => void; // The previous or next event in the row of the selection.
  connected: () => void;
  scroll: (by: number) => void;
}

const NEARER = 0.7;
const STEP = 0.2;

export const KEYS: [string, string][] = [
  ['w  s', 'zoom in, zoom out, at the pointer'],
  ['a  d', 'move left, move right'],
  ['↑ ↓ ← →', 'the same as w s a d'],
  ['Page Up, Page Down', 'scroll the tracks'],
  ['Home', 'show everything'],
  ['f', 'zoom to the selected event or range'],
  [',  .', 'select the previous or next event in the same row'],
  ['c', 'go to what launched the selected event, or what it launched'],
  ['/', 'search or filter'],
  ['n  N', 'next match, previous match'],
  ['Escape', 'clear the selection, then the search'],
  ['wheel', 'zoom at the pointer; with Shift: move; with Alt: scroll the tracks'],
  ['drag', 'move; with Shift: select a range for statistics'],
  ['double click', 'zoom to the event'],
  ['?', 'this list'],
];

export function keyTable(): HTMLElement {
  const rows = KEYS.map(([key, words]) =>
    html('tr', {}, html('th', { scope: 'row' }, html('kbd', {}, key)), html('td', {}, words)),
  );
  return html('div', { class: 'table' }, html('table', {}, html('tbody', {}, ...rows)));
}

// Keys that mean something else in the focused element.
function taken(event: KeyboardEvent, root: HTMLElement, stage: HTMLElement): boolean {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  if (target.closest('input, select, textarea, [contenteditable]')) return true;
  // After a click on its words, an open dialog has the keys but not the focus.
  if (document.querySelector('dialog[open]')) return true;
  // Letters mean nothing to a link or a button, such as the tab that was just clicked.
  const letter = event.key.length === 1 && event.key !== ' ';
  const idle = target.closest('a, button') !== null && letter;
  if (target !== document.body && !root.contains(target) && !idle) return true;
  const onStage = target === stage || target === document.body || target.tagName === 'MAIN';
  return !onStage && (event.key.length > 1 || event.key === ' ') && event.key !== 'Escape';
}

export function listenToKeys(
  root: HTMLElement,
  stage: HTMLElement,
  window: TimeWindow,
  act: KeyActions,
): () => void {
  const given = new AbortController();
  // Zooms where the reader points to, as the wheel does.
  let pointer: number | undefined; // As a share of the width.
  stage.addEventListener(
    'pointermove',
    (event) => {
      const { left, width } = stage.getBoundingClientRect();
      pointer = Math.max(0, Math.min(1, (event.clientX - left) / Math.max(1, width)));
    },
    { signal: given.signal },
  );
  stage.addEventListener('pointerleave', () => (pointer = undefined), { signal: given.signal });
  const zoom = (factor: number) => (): void => window.glideTo(...window.zoomed(factor, pointer));
  const pan = (share: number) => (): void => window.glideTo(...window.panned(share));
  const does: Record<string, () => void> = {
    w: zoom(NEARER),
    ArrowUp: zoom(NEARER),
    '+': zoom(NEARER),
    s: zoom(1 / NEARER),
    ArrowDown: zoom(1 / NEARER),
    '-': zoom(1 / NEARER),
    a: pan(-STEP),
    ArrowLeft: pan(-STEP),
    d: pan(STEP),
    ArrowRight: pan(STEP),
    Home: () => window.glideTo(...window.all),
    PageUp: () => act.scroll(-0.8),
    PageDown: () => act.scroll(0.8),
    f: () => act.frame(),
    Escape: () => act.clear(),
    '/': () => act.search(),
    '?': () => act.help(),
    n: () => act.hit(1),
    N: () => act.hit(-1),
    '.': () => act.neighbour(1),
    ',': () => act.neighbour(-1),
    c: () => act.connected(),
  };
  document.addEventListener(
    'keydown',
    (event) => {
      // Letters also work with Caps Lock; only n and N differ.
      const key = event.key.length === 1 && event.key !== 'N' ? event.key.toLowerCase() : event.key;
      const action = does[key];
      if (!action || taken(event, root, stage)) return;
      event.preventDefault();
      action();
    },
    { signal: given.signal },
  );
  return () => given.abort();
}
