// The columns of the list: what they show and how they sort.

import type { RunSummary } from '../../api/types';
import { ago, runSeconds, runStatus } from '../../api/words';
import { html } from '../../base/dom';
import { elapsed, utc } from '../../base/format';
import { urgency, verdictsOf } from './verdicts';

export interface Column {
  id: string;
  title: string;
  numeric?: boolean;
  fixed?: boolean; // Always shown.
  // Ascending; null: sorts last in both directions. Absent: the column cannot be sorted.
  order?: (run: RunSummary, now: number) => number | string | null;
  cells: (run: RunSummary, now: number, actions: CellActions) => (Node | string)[];
}

export interface CellActions {
  address: (run: RunSummary) => string;
  filterTag: (tag: string) => void;
}

const MOST_CHIPS = 3;
// Set by the SageMaker SDK, not by the user.
const OWN_PARAMETERS = /^sagemaker_/;

const age = (run: RunSummary): number | null => run.started ?? run.created ?? run.modified;

function statusBadge(run: RunSummary): HTMLElement {
  const { words, tone } = runStatus(run.status);
  return html(
    'span',
    { class: `badge dot ${tone}`, title: run.message || run.secondary || words },
    words,
  );
}

const verdictBadges = (run: RunSummary): HTMLElement[] =>
  verdictsOf(run).map(({ words, tone, title }) =>
    html('span', { class: `badge ${tone}`, title }, words),
  );

function chips(
  pairs: [string, string][],
  make: (name: string, value: string) => HTMLElement,
): (Node | string)[] {
  const shown = pairs.slice(0, MOST_CHIPS).map(([name, value]) => make(name, value));
  const rest = pairs.slice(MOST_CHIPS);
  if (rest.length === 0) return shown;
  const all = rest.map(([name, value]) => `${name}=${value}`).join('\n');
  return [...shown, html('span', { class: 'quiet', title: all }, `+${rest.length}`)];
}

const labelled = (name: string, value: string): string =>
  value === '' ? name : `${name}=${value}`;

function tagChip(name: string, value: string, actions: CellActions): HTMLElement {
  const tag = labelled(name, value);
  const chip = html(
    'button',
    {
      type: 'button',
      class: 'runs-tag clip',
      tabindex: -1,
      title: `Show only runs with the tag ${tag}`,
    },
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
      html(
        'a',
        { class: 'runs-name clip', href: actions.address(run), title: run.folder },
        run.name,
      ),
      // Runs in folders often share a name: 'trial', 'output'.
      ...(run.kind === 'folder' ? [folderLine(run)] : []),
      // For screens without room for the columns.
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
  {
    id: 'status',
    title: 'Status',
    order: (run) => STATUS_ORDER.indexOf(run.status),
    cells: (run) => [statusBadge(run)],
  },
  {
    id: 'findings',
    title: 'Verdict',
    order: urgency,
    cells: verdictBadges,
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
  {
    id: 'tags',
    title: 'Tags',
    cells: (run, _now, actions) =>
      chips(Object.entries(run.tags), (name, value) => tagChip(name, value, actions)),
  },
  {
    id: 'parameters',
    title: 'Hyperparameters',
    cells: (run) =>
      chips(
        Object.entries(run.hyper_parameters).filter(([name]) => !OWN_PARAMETERS.test(name)),
        (name, value) => html('span', { class: 'runs-parameter' }, `${name}=${value}`),
      ),
  },
];

// sort: 'age', '-step'; unknown: newest first.
export function sorted(runs: readonly RunSummary[], sort: string, now: number): RunSummary[] {
  const down = sort.startsWith('-');
  const column = COLUMNS.find(({ id }) => id === (down ? sort.slice(1) : sort));
  const order = column?.order ?? COLUMNS.find(({ id }) => id === 'age')?.order;
  const sign = down && column?.order ? -1 : 1;
  if (!order) return [...runs];
  const keyed = runs.map((run, place) => ({ run, place, key: order(run, now) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null)
      return a.key === b.key ? a.place - b.place : a.key === null ? 1 : -1;
    if (a.key === b.key) return a.place - b.place;
    return a.key < b.key ? -sign : sign;
  });
  return keyed.map(({ run }) => run);
}
