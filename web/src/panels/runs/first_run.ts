// Shown while there are no runs: how to start one.

import { html } from '../../base/dom';

// Quotes a word for the shell.
const quoted = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

// folders: where runs are looked for.
export function firstRun(folders: readonly string[]): HTMLElement {
  const folder = folders[0];
  const out = quoted(`${folder}/first`);
  const commands = folder
    ? [
        {
          words: 'Run your training script with “warden run”:',
          line: `warden run --out ${out} -- python train.py`,
        },
        { words: 'Or start a job on this service:', line: 'warden jobs create --file job.json' },
      ]
    : [
        {
          words: 'Run your training script with “warden run”:',
          line: 'warden run -- python train.py',
        },
        {
          words: 'Then serve the folder with its runs:',
          line: 'warden serve --runs warden-runs',
        },
      ];
  const box = html('div', { class: 'empty' }, html('h2', {}, 'No runs yet'));
  for (const { words, line } of commands) box.append(html('p', {}, words), html('pre', {}, line));
  const watched = folder ? ` (watching ${folders.join(', ')})` : '';
  box.append(html('p', {}, `Losses, metrics and findings appear here during training${watched}.`));
  return box;
}
