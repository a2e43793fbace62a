// Under the heading of a run: star, tags and note, and the button that changes them.

import './run_marks.css';
import type { RunDetail } from '../api/types';
import { html } from '../base/dom';
import { tagsOf } from '../panels/common/run_names';
import { openMarksDialog } from '../panels/runs/marks_dialog';
import { leaveDeleted } from '../panels/runs/trash';
import type { PageHost } from './page';

export class RunMarksLine {
  readonly element = html('div', { class: 'run-marks' });
  readonly edit = html('button', { type: 'button', class: 'button small' }, 'Edit');
  private readonly star = html(
    'span',
    { role: 'img', 'aria-label': 'Baseline', title: 'Baseline', class: 'run-star' },
    '★',
  );
  private readonly tags = html('span', { class: 'row' });
  private readonly note = html('p');
  private run: RunDetail | null = null;

  constructor(host: PageHost, reload: () => void) {
    this.edit.hidden = host.exported !== null || !host.session.scopes.includes('write');
    this.element.append(this.star, this.tags, this.note);
    this.edit.addEventListener('click', () => {
      if (!this.run) return;
      openMarksDialog([this.run], {
        client: host.client,
        announce: (words) => host.announce(words),
        changed: reload,
        deleted: (runs) => {
          leaveDeleted(runs);
          host.context().go('#/runs');
        },
      });
    });
  }

  update(run: RunDetail): void {
    this.run = run;
    const { baseline, archived, note } = run.marks;
    const badges = [...(archived ? ['archived'] : []), ...tagsOf(run)];
    this.star.hidden = !baseline;
    this.tags.replaceChildren(
      ...badges.map((words) => html('span', { class: 'badge quiet' }, words)),
    );
    this.note.textContent = note;
    this.note.hidden = note === '';
    this.element.hidden = !baseline && note === '' && badges.length === 0;
  }
}
