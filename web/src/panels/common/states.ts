// Placeholders: loading, empty, failed.

import type { Refusal } from '../../api/client';
import { html } from '../../base/dom';

export function loading(words = 'Loading …'): HTMLElement {
  return html(
    'div',
    { class: 'loading', role: 'status' },
    html('span', { class: 'spinner', 'aria-hidden': 'true' }),
    words,
  );
}

// title: what is missing. lines: why, and what to do.
export function empty(title: string, ...lines: (Node | string)[]): HTMLElement {
  return html(
    'div',
    { class: 'empty' },
    html('h2', {}, title),
    ...lines.map((line) => html('p', {}, line)),
  );
}

export function refused(error: Refusal, again?: () => void): HTMLElement {
  const box = html('div', { class: 'notice warning', role: 'alert' }, sentence(error.message));
  if (again) {
    const retry = html('button', { type: 'button', class: 'button small' }, 'Try again');
    retry.addEventListener('click', again);
    box.append(' ', retry);
  }
  return box;
}

// With a period at the end, for the middle of a line: 'Failed: no such file.'
export const ended = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`);

export const sentence = (words: string): string =>
  ended(words.charAt(0).toUpperCase() + words.slice(1));
