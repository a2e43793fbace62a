// Deleted runs: a notice that undoes the last deletion, and the list of all that can be restored.

import type { Client } from '../../api/client';
import type { DeletedRun, RunSummary } from '../../api/types';
import { ago, counted } from '../../api/words';
import { html } from '../../base/dom';
import { utc } from '../../base/format';
import { refill } from '../../base/refill';
import { button } from '../common/fields';
import { Latest } from '../common/latest';
import { forEachRun, namesOf, restoreRun } from './marks';

// Deleted on the page of a run, which is then left for the list.
let left: readonly RunSummary[] = [];
export const leaveDeleted = (runs: readonly RunSummary[]): void => {
  left = runs;
};

export interface TrashActions {
  restored: (words: string) => void;
  left: () => void; // The control that had the focus is gone.
}

// For those who may change runs.
export class Trash {
  readonly notice = html('div', { role: 'status' });
  readonly element = html('details', { class: 'card runs-trash', hidden: '' });
  private readonly summary = html('summary');
  private readonly list = html('ul');
  private readonly question = new Latest();

  constructor(
    private readonly client: Client,
    private readonly actions: TrashActions,
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
    const hide = button('Dismiss', () => this.dismiss(), { class: 'button plain' });
    this.notice.replaceChildren(
      html('div', { class: 'notice row' }, `Deleted ${namesOf(runs)}.`, undo, hide),
    );
    if (focus) undo.focus();
  }

  private dismiss(): void {
    this.notice.replaceChildren();
    this.actions.left();
  }

  private async undo(runs: readonly RunSummary[]): Promise<void> {
    const failed = await forEachRun(runs, (run) => restoreRun(this.client, run.id));
    this.dismiss();
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
    this.actions.restored(failed === null ? words : `Could not restore ${failed}`);
  }

  private show(runs: readonly DeletedRun[]): void {
    const leaves = runs.length === 0 && this.element.contains(document.activeElement);
    this.element.hidden = runs.length === 0;
    if (leaves) this.actions.left();
    this.summary.textContent = counted(runs.length, 'deleted run');
    const now = Date.now() / 1000;
    refill(
      this.list,
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
