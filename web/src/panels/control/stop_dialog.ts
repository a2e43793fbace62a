// Stops a training after confirmation.

import { below } from '../../api/client';
import type { RunDetail } from '../../api/types';
import { html } from '../../base/dom';
import type { ControlContext } from './context';

export function openStopDialog(context: ControlContext, run: RunDetail, into: HTMLElement): void {
  const cancel = html(
    'button',
    { type: 'button', class: 'button', autofocus: '' },
    'Keep training',
  );
  const stop = html(
    'button',
    { type: 'button', class: 'button danger primary' },
    'Stop the training',
  );
  const problem = html('p', { class: 'notice bad', role: 'alert', hidden: '' });
  const dialog = html(
    'dialog',
    { 'aria-labelledby': 'control-stop-title', class: 'control-stop' },
    html('h2', { id: 'control-stop-title' }, `Stop ${run.name}?`),
    html(
      'p',
      {},
      'The training receives a stop signal and is killed if it has not exited within the grace period. ' +
        'Saved data is kept. A stopped job cannot be resumed.',
    ),
    problem,
    html('div', { class: 'row answers' }, cancel, stop),
  );
  cancel.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  stop.addEventListener('click', () => {
    stop.disabled = true;
    void context.client.send('POST', below(run.id, 'stop'), {}).then((answer) => {
      stop.disabled = false;
      if (answer.ok) {
        dialog.close();
        context.announce(`Stopping ${run.name}`);
        context.reload();
        return;
      }
      problem.textContent = `Could not stop the training: ${answer.error.message}`;
      problem.hidden = false;
    });
  });
  into.append(dialog);
  dialog.showModal();
}
