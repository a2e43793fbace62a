// The columns of the list: what they show and how they sort.

import type { RunSummary } from '../../api/types';
import { ago, runSeconds, runStatus } from '../../api/words';
import { html } from '../../base/dom';
import { elapsed, figure, utc } from '../../base/format';
import { shownName, tagsOf } from '../common/run_names';
import { readBest, referenceOf } from './best_step';
import {
  type Catalogue,
  type Field,
  fieldOf,
  fieldTitle,
  isScalar,
  type ListedRun,
  OWN_PARAMETERS,
  valueOf,
} from './fields';
import { urgency, verdictsOf } from './verdicts';

export interface Column {
  id: string;
  title: string;
  numeric?: boolean;
  fixed?: boolean; // Always shown.
  field?: Field; // Of a hyperparameter, a tag or a scalar.
  width: number; // rem, at least.
  falling?: boolean; // What sorts as ascending reads as descending: the newest first.
  // Ascending; null: sorts last in both directions. Absent: the column cannot be sorted.
  order?: (run: ListedRun, now: number) => number | string | null;
  // How to write a number of it, such as the mean of a group; absent: groups have none.
  write?: (value: number) => string;
  cells: (run: ListedRun, now: number, actions: CellActions) => (Node | string)[];
}

export interface CellActions {
  address: (run: RunSummary) => string;
  filterTag: (tag: string) => void;
  edit: ((run: RunSummary) => void) | null; // Null: nothing may be changed.
}

const MOST_CHIPS = 3;

const age = (run: RunSummary): number | null => run.started ?? run.created ?? run.modified;

// Of a folder that was not read yet nothing is known; the state of a job always is.
const statusOf = (run: RunSummary): ReturnType<typeof runStatus> =>
  run.pending && run.kind === 'folder'
    ? { words: 'Reading …', tone: 'quiet' }
    : runStatus(run.status);

function statusBadge(run: RunSummary): HTMLElement {
  const { words, tone } = statusOf(run);
  return html(
    'span',
    { class: `badge dot ${tone}`, title: run.message || run.secondary || words },
    words,
  );
}

const verdictBadges = (run: RunSummary): HTMLElement[] =>
  (run.pending ? [] : verdictsOf(run)).map(({ words, tone, title }) =>
    html('span', { class: `badge ${tone}`, title }, words),
  );

function chips(all: string[], make: (words: string) => HTMLElement): (Node | string)[] {
  const shown = all.slice(0, MOST_CHIPS).map(make);
  const rest = all.slice(MOST_CHIPS);
  if (rest.length === 0) return shown;
  return [...shown, html('span', { class: 'quiet', title: rest.join('\n') }, `+${rest.length}`)];
}

function tagChip(tag: string, actions: CellActions): HTMLElement {
  const chip = html(
    'button',
    {
      type: 'button',
      class: 'runs-tag clip',
      title: `Show only runs with the tag ${tag}`,
    },
    tag,
  );
  chip.addEventListener('click', () => actions.filterTag(tag));
  return chip;
}

// Runs in folders often share a name: 'trial', 'output'. Renamed ones have the name of the folder.
const folderLine = (run: RunSummary): HTMLElement =>
  html('span', { class: 'runs-folder clip quiet', title: run.folder }, html('bdi', {}, run.folder));

function nameLine(run: RunSummary, actions: CellActions): HTMLElement {
  const { baseline, archived, note } = run.marks;
  const link = html(
    'a',
    { class: 'runs-name clip', href: actions.address(run), title: note || run.folder },
    shownName(run),
  );
  const line = html('div', { class: 'runs-title' }, link);
  const sign = (character: string, words: string): HTMLElement =>
    html('span', { role: 'img', 'aria-label': words, title: words, class: 'runs-sign' }, character);
  if (baseline) line.prepend(sign('★', 'Baseline'));
  if (note) line.append(sign('✎', `Note: ${note}`));
  if (archived) line.append(html('span', { class: 'badge quiet' }, 'archived'));
  const { edit } = actions;
  // What was noted about a run that was not read yet is not known, and must not be overwritten.
  if (edit && !run.pending) {
    const button = html(
      'button',
      { type: 'button', class: 'runs-edit', 'aria-label': `Edit ${shownName(run)}` },
      'Edit',
    );
    button.addEventListener('click', () => edit(run));
    line.append(button);
  }
  return line;
}

const nameColumn: Column = {
  id: 'name',
  title: 'Name',
  fixed: true,
  width: 14,
  order: (run) => shownName(run).toLowerCase(),
  cells: (run, now, actions) => {
    const started = age(run);
    const when = started === null ? '' : ago(now - started);
    return [
      nameLine(run, actions),
      ...(run.kind === 'folder' ? [folderLine(run)] : []),
      // For screens without room for the columns.
      html(
        'span',
        { class: 'runs-brief clip quiet' },
        [statusOf(run).words, when].filter((words) => words !== '').join(' · '),
      ),
    ];
  },
};

const STATUS_ORDER = ['InProgress', 'Stopping', 'Failed', 'Stopped', 'Completed', 'Unknown'];
const whole = (value: number): string => Math.round(value).toLocaleString('en');

export const COLUMNS: readonly Column[] = [
  nameColumn,
  {
    id: 'status',
    title: 'Status',
    width: 7.4,
    order: (run) => STATUS_ORDER.indexOf(run.status),
    cells: (run) => [statusBadge(run)],
  },
  {
    id: 'findings',
    title: 'Verdict',
    width: 12,
    order: urgency,
    cells: verdictBadges,
  },
  {
    id: 'age',
    title: 'Started',
    width: 8.2,
    falling: true,
    order: (run, now) => {
      const started = age(run);
      return started === null ? null : now - started;
    },
    cells: (run, now) => {
      const started = age(run);
      return started === null ? ['–'] : [html('span', { title: utc(started) }, ago(now - started))];
    },
  },
  {
    id: 'duration',
    title: 'Duration',
    numeric: true,
    width: 5.2,
    order: runSeconds,
    write: elapsed,
    cells: (run, now) => {
      const seconds = runSeconds(run, now);
      return [seconds === null ? '–' : elapsed(seconds)];
    },
  },
  {
    id: 'step',
    title: 'Last step',
    numeric: true,
    width: 5.6,
    order: (run) => run.last_step,
    write: whole,
    cells: (run) => [run.last_step === null ? '–' : whole(run.last_step)],
  },
  {
    id: 'tags',
    title: 'Tags',
    width: 8,
    cells: (run, _now, actions) => chips(tagsOf(run), (tag) => tagChip(tag, actions)),
  },
  {
    id: 'parameters',
    title: 'Hyperparameters',
    width: 10,
    cells: (run) =>
      chips(
        Object.entries(run.hyper_parameters)
          .filter(([name]) => !OWN_PARAMETERS.test(name))
          .map(([name, value]) => `${name}=${value}`),
        (words) => html('span', { class: 'runs-parameter' }, words),
      ),
  },
];

const FIELD_WIDTH = 7;

// The step of a scalar's value.
function stepOf(run: ListedRun, { kind, name }: Field): number | null | undefined {
  const best = kind === 'at' ? readBest(name) : null;
  const reference = best ? referenceOf(best.reference) : null;
  const [, , , last, minimum, maximum] = run.scalars[reference?.name ?? name] ?? [];
  if (kind === 'last') return last;
  return kind === 'min' || reference?.highest === false ? minimum : maximum;
}

function fieldCell(run: ListedRun, field: Field): (Node | string)[] {
  const value = valueOf(run, field);
  if (value === null) return [html('span', { class: 'quiet' }, '–')];
  if (!isScalar(field.kind)) {
    // As the user wrote it.
    const text = (field.kind === 'tag' ? run.tags : run.hyper_parameters)[field.name] ?? '';
    return [html('span', { class: 'clip', title: text }, text)];
  }
  if (typeof value === 'string' || Number.isNaN(value))
    return [html('span', { class: 'bad' }, String(value))];
  if (field.kind === 'minstep' || field.kind === 'maxstep') return [whole(value)];
  const step = stepOf(run, field);
  const title = step === undefined || step === null ? String(value) : `${value} at step ${step}`;
  return [html('span', { title }, Number.isFinite(value) ? figure(value) : String(value))];
}

function fieldColumn(id: string, field: Field, numeric: boolean): Column {
  const counts = field.kind === 'minstep' || field.kind === 'maxstep';
  return {
    id,
    title: fieldTitle(field),
    numeric,
    field,
    width: FIELD_WIDTH,
    order: (run) => {
      const value = valueOf(run, field);
      if (typeof value === 'number') return Number.isNaN(value) ? null : value;
      return value === null ? null : value.toLowerCase();
    },
    ...(numeric ? { write: counts ? whole : figure } : {}),
    cells: (run) => fieldCell(run, field),
  };
}

// Null: there is no such column. Hyperparameters that are numbers in all runs are numeric.
export function columnOf(id: string, catalogue: Catalogue | null = null): Column | null {
  const builtIn = COLUMNS.find((column) => column.id === id);
  if (builtIn) return builtIn;
  const field = fieldOf(id);
  if (!field) return null;
  return fieldColumn(id, field, isScalar(field.kind) || (catalogue?.numeric.has(id) ?? false));
}

type Key = number | string | null;

// Numbers come before words.
export function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return (a as number) < (b as number) ? -1 : 1;
}

// sort: 'age', '-step'; what cannot be sorted by: newest first.
export function orderOf(sort: string): { column: Column; sign: 1 | -1 } {
  const down = sort.startsWith('-');
  const column = columnOf(down ? sort.slice(1) : sort);
  if (column?.order) return { column, sign: down ? -1 : 1 };
  return { column: COLUMNS.find(({ id }) => id === 'age') as Column, sign: 1 };
}

// Items without a key come last in both directions; ties keep their order.
export function sortedBy<T>(items: readonly T[], key: (item: T) => Key, sign: 1 | -1): T[] {
  const keyed = items.map((item, place) => ({ item, place, key: key(item) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null)
      return a.key === b.key ? a.place - b.place : a.key === null ? 1 : -1;
    return sign * compareKeys(a.key, b.key) || a.place - b.place;
  });
  return keyed.map(({ item }) => item);
}

export function sorted(runs: readonly ListedRun[], sort: string, now: number): ListedRun[] {
  const { column, sign } = orderOf(sort);
  return sortedBy(runs, (run) => column.order?.(run, now) ?? null, sign);
}
