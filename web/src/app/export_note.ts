// Above a run in an exported page: when it was exported, and what is not in it.

import type { Exported } from '../api/exported';
import { html } from '../base/dom';

export function exportNote({ about }: Exported): HTMLElement {
  const moment = about.exported.replace('T', ' ').replace('Z', ' UTC');
  const list = html('ul', {}, ...about.leftOut.map((words) => html('li', {}, words)));
  return html(
    'details',
    { class: 'export-note' },
    html('summary', {}, `Exported ${moment}`),
    html(
      'p',
      {},
      `By Tensorwarden ${about.version}. The data of the run is in this page. Not included:`,
    ),
    list,
  );
}
