// A line of text with a button that copies it.

import './common.css';

import { html } from '../../base/dom';
import { button } from './fields';

// Browsers allow pages to copy only over HTTPS or on this machine; elsewhere the text is selected.
async function copy(text: string, shown: HTMLElement): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(shown);
    return 'Press Ctrl-C';
  }
}

export function copiedLine(text: string, what: string): HTMLElement {
  const shown = html('code', {}, text);
  const told = html('span', { class: 'quiet', role: 'status' });
  const press = button(
    'Copy',
    () => void copy(text, shown).then((words) => (told.textContent = words)),
    {
      class: 'button small',
      'aria-label': `Copy ${what}`,
    },
  );
  return html('span', { class: 'common-copied' }, shown, press, told);
}
