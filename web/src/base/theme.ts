// Light or dark theme: follows the system until the reader chooses.

import { html } from './dom';

const KEY = 'tensorwarden-theme';

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // A page in a notebook has no storage.
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

export function themeButton(): HTMLButtonElement {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const button = html('button', { type: 'button', class: 'theme' });
  const isDark = (): boolean =>
    (root.dataset['theme'] ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const show = (): void => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', isDark() ? 'Use light colors' : 'Use dark colors');
  };
  const saved = remembered();
  if (saved === 'dark' || saved === 'light') root.dataset['theme'] = saved;
  button.addEventListener('click', () => {
    root.dataset['theme'] = isDark() ? 'light' : 'dark';
    remember(root.dataset['theme']);
    show();
  });
  system.addEventListener('change', show);
  show();
  return button;
}
