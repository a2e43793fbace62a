// What to do while there are no runs: two commands.

import { html } from '../../base/dom';

// Words of a command that a shell must not take apart.
const quoted = (text: string): string => (/^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

// folders: where runs are looked for.
export function firstRun(folders: readonly string[]): HTMLElement {
  const folder = folders[0];
  const out = quoted(`${folder}/first`);
  const commands = folder
    ? [
        { words: 'Train as you do, with the command behind “--”:', line: `warden run --out ${out} -- python train.py` },
        { words: 'or hand a job to this service:', line: 'warden jobs create --file job.json' },
      ]
    : [
        { words: 'Train as you do, with the command behind “--”:', line: 'warden run -- python train.py' },
        { words: 'and serve the folder that it writes to:', line: 'warden serve --runs warden-runs' },
      ];
  const box = html('div', { class: 'empty' }, html('h2', {}, 'No runs yet'));
  for (const { words, line } of commands) box.append(html('p', {}, words), html('pre', {}, line));
  const watched = folder ? ` (${folders.join(', ')} is watched)` : '';
  box.append(html('p', {}, `Its losses, metrics and findings appear here while it trains${watched}.`));
  return box;
}
