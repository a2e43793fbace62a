// Deleted runs: a notice that undoes the last deletion, and the list of all that can be restored.

import type { Client } from '../../api/client';
import type { DeletedRun, RunSummary } from '../../api/types';
import { ago, counted } from '../../api/words';
import { html } from '../../base/dom';
import { utc } from '../../base/format';
import { button } from '../common/fields';
import { Latest } from '../common/latest';
import { forEachRun, namesOf, restoreRun } from './marks';

// Deleted on the page of a run, which is then left for the list.
let left: readonly RunSummary[] = [];
export const leaveDeleted = (runs: readonly RunSummary[]): void => {
  left = runs;
};

// For those who may change runs.
export class Trash {
  readonly notice = html('div', { role: 'status' });
  readonly element = html('details', { class: 'card runs-trash', hidden: '' });
  private readonly summary = html('summary');
  private readonly list = html('ul');
  private readonly question = new Latest();

  constructor(
    private readonly client: Client,
    private readonly restored: (words: string) => void,
  ) {
    this.element.append(this.summary, this.list);
    if (left.length > 0) this.offerUndo(left, false);
    left = [];
  }

  close(): void {
    this.question.giveUp();
  }

  load(): void {
    this.question.askAgain(
      (signal) => this.client.get<DeletedRun[]>('trash', { signal }),
      (runs) => this.show(runs),
      () => undefined, // The list of runs is of use without it.
    );
  }

  offerUndo(runs: readonly RunSummary[], focus = true): void {
    const undo = button('Undo', () => void this.undo(runs));
    const hide = button('Dismiss', () => this.notice.replaceChildren(), { class: 'button plain' });
    this.notice.replaceChildren(
      html('div', { class: 'notice row' }, `Deleted ${namesOf(runs)}.`, undo, hide),
    );
    if (focus) undo.focus();
  }

  private async undo(runs: readonly RunSummary[]): Promise<void> {
    const failed = await forEachRun(runs, (run) => restoreRun(this.client, run.id));
    this.finished(failed, `Restored ${namesOf(runs)}`);
  }

  private async restore({ id, name }: DeletedRun): Promise<void> {
    const answer = await restoreRun(this.client, id);
    this.finished(answer.ok ? null : `${name}: ${answer.error.message}`, `Restored ${name}`);
  }

  private finished(failed: string | null, words: string): void {
    this.notice.replaceChildren();
    if (failed !== null)
      this.notice.append(html('p', { class: 'notice bad' }, `Could not restore ${failed}`));
    this.restored(failed === null ? words : `Could not restore ${failed}`);
  }

  private show(runs: readonly DeletedRun[]): void {
    this.element.hidden = runs.length === 0;
    this.summary.textContent = counted(runs.length, 'deleted run');
    const now = Date.now() / 1000;
    this.list.replaceChildren(
      ...runs.map((run) =>
        html(
          'li',
          { class: 'row' },
          html('strong', { title: run.folder }, run.name),
          html(
            'span',
            { class: 'quiet' },
            `deleted ${ago(now - run.deleted)}, files are removed at ${utc(run.purged)}`,
          ),
          button('Restore', () => void this.restore(run), {
            class: 'button small',
            'aria-label': `Restore ${run.name}`,
          }),
        ),
      ),
    );
  }
}
