// The dialogs of the timeline.

import { html } from '../../base/dom';
import { downloadLink } from '../common/download';
import type { PanelContext } from '../panel';
import { keyTable } from './keys';

function dialog(title: string, ...content: (Node | string)[]): void {
  const close = html('button', { type: 'submit', class: 'button primary' }, 'Close');
  const heading = html('h2', { id: 'timeline-dialog-title' }, title);
  const form = html('form', { method: 'dialog' }, close);
  const element = html(
    'dialog',
    { class: 'timeline-dialog', 'aria-labelledby': heading.id },
    heading,
    ...content,
    form,
  );
  element.addEventListener('close', () => element.remove());
  document.body.append(element);
  element.showModal();
}

export const showKeys = (): void => dialog('Keyboard shortcuts', keyTable());

// The page contacts no other server: the reader opens Perfetto and gives it the file.
export function showPerfetto(context: PanelContext, path: string, name: string): void {
  const what = { path, file: `${name}-trace.json.gz` };
  const link = downloadLink(context, what, 'Download the trace', { class: 'button primary' });
  const steps = html(
    'ol',
    {},
    html('li', {}, link),
    html(
      'li',
      {},
      'Open ',
      html('strong', {}, 'ui.perfetto.dev'),
      ' or ',
      html('strong', {}, 'chrome://tracing'),
      ' in a new tab.',
    ),
    html('li', {}, 'Choose “Open trace file” there, or drag the file into it.'),
  );
  const note = html(
    'p',
    { class: 'quiet' },
    'The file contains every event of the run. Perfetto opens it in your browser; nothing is uploaded.',
  );
  dialog('Open in Perfetto', steps, note);
}
