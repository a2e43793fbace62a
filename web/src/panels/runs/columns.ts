// The columns of the list: what they show and by what they sort.

import type { RunSummary } from '../../api/types';
import { ago, counted, runSeconds, runStatus } from '../../api/words';
import { html } from '../../base/dom';
import { elapsed, utc } from '../../base/format';

export interface Column {
  id: string;
  title: string;
  numeric?: boolean;
  fixed?: boolean; // Always shown.
  // Smaller first; null: nothing to sort by, which comes last in either direction. Absent: cannot be sorted by.
  order?(run: RunSummary, now: number): number | string | null;
  cells(run: RunSummary, now: number, actions: CellActions): (Node | string)[];
}

export interface CellActions {
  address(run: RunSummary): string;
  filterTag(tag: string): void;
}

const MOST_CHIPS = 3;
// What the SageMaker SDK passes to its containers in the same way: nobody has tuned it.
const OWN_PARAMETERS = /^sagemaker_/;

const age = (run: RunSummary): number | null => run.started ?? run.created ?? run.modified;

function statusBadge(run: RunSummary): HTMLElement {
  const { words, tone } = runStatus(run.status);
  return html('span', { class: `badge dot ${tone}`, title: run.message || run.secondary || words }, words);
}

function findingBadges(run: RunSummary): HTMLElement[] {
  const { total, not_evaluated: missing, errors, running } = run.rules;
  const badges: HTMLElement[] = [];
  const add = (words: string, tone: string, title: string): void => {
    badges.push(html('span', { class: `badge ${tone}`, title }, words));
  };
  if (run.findings > 0) {
    // Where all three are there, none must be cut off.
    const words = missing > 0 && errors > 0 ? `▲ ${run.findings.toLocaleString('en')}` : counted(run.findings, 'finding');
    add(words, 'warning', `${counted(run.rules.issues, 'rule')} of ${total} found something`);
  }
  if (missing > 0) {
    add(`${missing} not evaluated`, 'bad', `${counted(missing, 'rule')} of ${total} had nothing to judge: the run says why`);
  }
  if (errors > 0) add(counted(errors, 'error'), 'bad', `${counted(errors, 'rule')} of ${total} failed`);
  if (badges.length > 0) return badges;
  if (total === 0) add('no rules', 'quiet', 'No rule watches this run');
  else if (running > 0) add(`${running} watching`, 'accent', `${counted(running, 'rule')} of ${total} at work so far`);
  else add('no issues', 'good', `${counted(total, 'rule')} found nothing`);
  return badges;
}

function chips(pairs: [string, string][], make: (name: string, value: string) => HTMLElement): (Node | string)[] {
  const shown = pairs.slice(0, MOST_CHIPS).map(([name, value]) => make(name, value));
  const rest = pairs.slice(MOST_CHIPS);
  if (rest.length === 0) return shown;
  const all = rest.map(([name, value]) => `${name}=${value}`).join('\n');
  return [...shown, html('span', { class: 'quiet', title: all }, `+${rest.length}`)];
}

const labelled = (name: string, value: string): string => (value === '' ? name : `${name}=${value}`);

function tagChip(name: string, value: string, actions: CellActions): HTMLElement {
  const tag = labelled(name, value);
  const chip = html(
    'button',
    { type: 'button', class: 'runs-tag clip', tabindex: -1, title: `Only runs with the tag ${tag}` },
    tag,
  );
  chip.addEventListener('click', () => actions.filterTag(tag));
  return chip;
}

const folderLine = (run: RunSummary): HTMLElement =>
  html('span', { class: 'runs-folder clip quiet', title: run.folder }, html('bdi', {}, run.folder));

const nameColumn: Column = {
  id: 'name',
  title: 'Name',
  fixed: true,
  order: (run) => run.name.toLowerCase(),
  cells: (run, now, actions) => {
    const started = age(run);
    const when = started === null ? '' : ago(now - started);
    return [
      html('a', { class: 'runs-name clip', href: actions.address(run), title: run.folder }, run.name),
      // Runs of folders often have the same name: 'trial', 'output'.
      ...(run.kind === 'folder' ? [folderLine(run)] : []),
      // Where there is no room for the columns.
      html(
        'span',
        { class: 'runs-brief clip quiet' },
        [runStatus(run.status).words, when].filter((words) => words !== '').join(' · '),
      ),
    ];
  },
};

const STATUS_ORDER = ['InProgress', 'Stopping', 'Failed', 'Stopped', 'Completed', 'Unknown'];

export const COLUMNS: readonly Column[] = [
  nameColumn,
  { id: 'status', title: 'Status', order: (run) => STATUS_ORDER.indexOf(run.status), cells: (run) => [statusBadge(run)] },
  {
    id: 'findings',
    title: 'Findings',
    order: (run) => run.findings * 1000 + run.rules.not_evaluated + run.rules.errors,
    cells: findingBadges,
  },
  {
    id: 'age',
    title: 'Started',
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
    order: runSeconds,
    cells: (run, now) => {
      const seconds = runSeconds(run, now);
      return [seconds === null ? '–' : elapsed(seconds)];
    },
  },
  {
    id: 'step',
    title: 'Last step',
    numeric: true,
    order: (run) => run.last_step,
    cells: (run) => [run.last_step === null ? '–' : run.last_step.toLocaleString('en')],
  },
  { id: 'tags', title: 'Tags', cells: (run, _now, actions) => chips(
    Object.entries(run.tags),
    (name, value) => tagChip(name, value, actions),
  ) },
  {
    id: 'parameters',
    title: 'Hyper-parameters',
    cells: (run) => chips(
      Object.entries(run.hyper_parameters).filter(([name]) => !OWN_PARAMETERS.test(name)),
      (name, value) => html('span', { class: 'runs-parameter' }, `${name}=${value}`),
    ),
  },
];

// sort: 'age', '-step'; unknown: the newest first.
export function sorted(runs: readonly RunSummary[], sort: string, now: number): RunSummary[] {
  const down = sort.startsWith('-');
  const column = COLUMNS.find(({ id }) => id === (down ? sort.slice(1) : sort));
  const order = column?.order ?? COLUMNS.find(({ id }) => id === 'age')?.order;
  const sign = down && column?.order ? -1 : 1;
  if (!order) return [...runs];
  const keyed = runs.map((run, place) => ({ run, place, key: order(run, now) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return a.key === b.key ? a.place - b.place : a.key === null ? 1 : -1;
    if (a.key === b.key) return a.place - b.place;
    return a.key < b.key ? -sign : sign;
  });
  return keyed.map(({ run }) => run);
}
