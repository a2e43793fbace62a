// Changes name, tags and note of a run, or tags of several; archives and deletes them.

import './marks_dialog.css';
import type { Client } from '../../api/client';
import type { RunMarks, RunSummary } from '../../api/types';
import { html } from '../../base/dom';
import { button } from '../common/fields';
import {
  changeMarks,
  changesOf,
  deleteRun,
  forEachRun,
  namesOf,
  readTags,
  tagsProblem,
  withTags,
} from './marks';

export interface MarksHost {
  client: Client;
  announce: (words: string) => void;
  changed: () => void;
  closed?: () => void;
  deleted: (runs: readonly RunSummary[]) => void;
}

const field = (words: string, input: HTMLElement, help = ''): HTMLElement =>
  html(
    'label',
    { class: 'field' },
    html('span', {}, words),
    input,
    ...(help === '' ? [] : [html('span', { class: 'runs-field-help' }, help)]),
  );

const text = (value: string): HTMLInputElement => {
  const input = html('input', { type: 'text', autocomplete: 'off', maxlength: 200 });
  input.value = value;
  return input;
};

function check(words: string, on: boolean): { box: HTMLInputElement; label: HTMLElement } {
  const box = html('input', { type: 'checkbox' });
  box.checked = on;
  return { box, label: html('label', { class: 'check' }, box, words) };
}

// The fields, and what they say of a run.
interface Form {
  parts: HTMLElement[];
  marks: (run: RunSummary) => RunMarks;
  problem: () => string;
}

function formOfOne(run: RunSummary): Form {
  const { marks } = run;
  const name = text(marks.display_name);
  name.placeholder = run.name;
  const tags = text(marks.tags.join(' '));
  tags.maxLength = 2200;
  const note = html('textarea', { rows: 4, maxlength: 10000 });
  note.value = marks.note;
  const baseline = check('Baseline, marked with a star', marks.baseline);
  const archived = check('Archived: only shown with is:archived', marks.archived);
  return {
    parts: [
      field('Name', name, `Empty: ${run.name}`),
      field('Tags', tags, 'Separated by blanks'),
      field('Note', note),
      baseline.label,
      archived.label,
    ],
    marks: () => ({
      display_name: name.value.trim(),
      tags: readTags(tags.value).sort(),
      note: note.value,
      baseline: baseline.box.checked,
      archived: archived.box.checked,
    }),
    problem: () => tagsProblem(readTags(tags.value)),
  };
}

function formOfSeveral(runs: readonly RunSummary[]): Form {
  const [add, remove] = [text(''), text('')];
  const all = runs.every(({ marks }) => marks.archived);
  const some = runs.some(({ marks }) => marks.archived);
  const archived = check('Archived: only shown with is:archived', all);
  archived.box.indeterminate = some && !all;
  return {
    parts: [
      field('Add tags', add, 'Separated by blanks'),
      field('Remove tags', remove, 'Separated by blanks'),
      archived.label,
    ],
    marks: ({ marks }) => ({
      ...marks,
      tags: withTags(marks, readTags(add.value), readTags(remove.value)).sort(),
      archived: archived.box.indeterminate ? marks.archived : archived.box.checked,
    }),
    problem: () => tagsProblem(readTags(add.value)),
  };
}

export function openMarksDialog(runs: readonly RunSummary[], host: MarksHost): void {
  const [first] = runs;
  if (!first) return;
  const form = runs.length === 1 ? formOfOne(first) : formOfSeveral(runs);
  const problem = html('p', { class: 'notice bad', role: 'alert', hidden: '' });
  const save = html('button', { type: 'submit', class: 'button primary' }, 'Save');
  const remove = button('Delete', () => void act(deleting), { class: 'button danger' });
  const inside = html(
    'form',
    { class: 'runs-marks', method: 'dialog' },
    html('h2', { id: 'runs-marks-title' }, `Edit ${namesOf(runs)}`),
    ...form.parts,
    problem,
    html(
      'div',
      { class: 'row' },
      remove,
      html('span', { class: 'spacer' }),
      button('Cancel', () => dialog.close()),
      save,
    ),
  );
  const dialog = html('dialog', { 'aria-labelledby': 'runs-marks-title' }, inside);

  const saving = async (): Promise<string | null> => {
    const failed = await forEachRun(runs, async (run) => {
      const changes = changesOf(run.marks, form.marks(run));
      return changes ? changeMarks(host.client, run, changes) : { ok: true };
    });
    host.changed();
    if (failed === null) host.announce(`Saved ${namesOf(runs)}`);
    return failed;
  };
  let gone: readonly RunSummary[] = [];
  const deleting = async (): Promise<string | null> => {
    const done: RunSummary[] = [];
    const failed = await forEachRun(runs, async (run) => {
      const answer = await deleteRun(host.client, run);
      if (answer.ok) done.push(run);
      return answer;
    });
    gone = done;
    return failed;
  };
  const act = async (what: () => Promise<string | null>): Promise<void> => {
    save.disabled = remove.disabled = true;
    const failed = form.problem() || (await what());
    save.disabled = remove.disabled = false;
    problem.hidden = !failed;
    problem.textContent = failed ?? '';
    if (!failed) dialog.close();
    // After the dialog, which gives the focus back.
    if (gone.length > 0) host.deleted(gone);
  };
  inside.addEventListener('submit', (event) => {
    event.preventDefault();
    void act(saving);
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    host.closed?.();
  });
  document.body.append(dialog);
  dialog.showModal();
}
