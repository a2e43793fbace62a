// Differences between runs other than tensors: what rules say, hyperparameters, what was recorded,
// tags, status, findings.

import type { RunDetail, RunFacts } from '../../api/types';
import { html } from '../../base/dom';
import { diffBox } from '../common/diff_box';
import { changesOf, recorded } from '../common/recorded';
import { shownName } from '../common/run_names';
import { changesLine, differing, isSame, type Line, plainLines, tagRecord } from './fact_lines';
import { verdictOf } from './run_words';
import { letter } from './state';

export type KnownFacts = ReadonlyMap<string, RunFacts>; // By the id of the run.

function shownValue(value: string | undefined, text: string | undefined): Node | string {
  if (value === undefined) return html('span', { class: 'quiet' }, 'not set');
  return text ? diffBox({ words: value, diff: text }) : value;
}

function body(title: string, all: readonly Line[], columns: number): HTMLElement[] {
  if (all.length === 0) return [];
  const head = html(
    'tr',
    { class: 'compare-group' },
    html('th', { colspan: columns + 1, scope: 'rowgroup' }, title),
  );
  const rows = all.map((line) => {
    const cells = line.values.map((value, i) =>
      html('td', { class: line.kind ?? '' }, shownValue(value, line.texts?.[i])),
    );
    return html(
      'tr',
      isSame(line) || line.own ? {} : { class: 'differs' },
      html('th', { scope: 'row' }, line.name),
      ...cells,
    );
  });
  return [html('tbody', {}, head, ...rows)];
}

// What is wrong in each run, beside what is wrong in the others.
function verdicts(runs: readonly RunDetail[]): HTMLElement {
  const cells = runs.map((run) => {
    const { tone, words, more } = verdictOf(run);
    const link = html('a', { href: `#/run/${encodeURIComponent(run.id)}/overview` }, words);
    const why = more === '' ? [] : [html('div', { class: 'quiet compare-why', title: more }, more)];
    return html('td', {}, html('span', { class: `badge ${tone}` }, link), ...why);
  });
  const row = html('tr', {}, html('th', { scope: 'row' }, 'Verdict'), ...cells);
  return html('tbody', { class: 'compare-verdicts' }, row);
}

// same: also show lines that are equal in all runs.
export function factsTable(
  runs: readonly RunDetail[],
  facts: KnownFacts,
  same: boolean,
): HTMLElement {
  const heads = runs.map((run, i) =>
    html(
      'th',
      { scope: 'col' },
      html(
        'span',
        { class: `compare-letter c${i % 8}`, 'aria-hidden': 'true' },
        letter(i).toUpperCase(),
      ),
      shownName(run),
    ),
  );
  const table = html('table', {}, html('thead', {}, html('tr', {}, html('td'), ...heads)));
  const of = (record: (run: RunDetail) => Record<string, string>): Line[] =>
    differing(runs, record, same);
  const changes = changesLine(runs.map((run) => changesOf(facts.get(run.id))));
  const groups: [string, Line[]][] = [
    [
      'Hyperparameters',
      of((run) => ({ ...run.hyper_parameters, ...facts.get(run.id)?.hyper_parameters })),
    ],
    [
      'Recorded at the start',
      [
        ...of((run) => recorded(facts.get(run.id))),
        ...changes.filter((line) => same || !isSame(line)),
      ],
    ],
    ['Python packages', of((run) => facts.get(run.id)?.python?.packages ?? {})],
    ['Environment', of((run) => facts.get(run.id)?.environment?.values ?? {})],
    ['Tags', of(tagRecord)],
  ];
  table.append(
    verdicts(runs),
    ...groups.flatMap(([title, lines]) => body(title, lines, runs.length)),
    ...body('Run', plainLines(runs), runs.length),
  );
  return html(
    'div',
    { class: 'table compare-facts', tabindex: 0, role: 'group', 'aria-label': 'Differences' },
    table,
  );
}

export function findingsOf(runs: readonly RunDetail[]): HTMLElement {
  const columns = runs.map((run, i) => {
    const found = run.rules_seen.flatMap((rule) =>
      rule.findings.map((finding) => ({ rule, finding })),
    );
    const items = found.slice(0, 20).map(({ rule, finding }) => {
      const params = new URLSearchParams({
        tensor: finding.tensor,
        step: String(Math.max(0, finding.step)),
      });
      const words =
        finding.tensor && rule.kind === 'debug'
          ? html(
              'a',
              { href: `#/run/${encodeURIComponent(run.id)}/tensors?${params}` },
              finding.message,
            )
          : finding.message;
      return html('li', {}, html('span', { class: 'badge warning' }, rule.name), ' ', words);
    });
    const none = run.rules_seen.length === 0 ? 'No rules were evaluated.' : 'No problems found';
    const list = items.length > 0 ? html('ul', {}, ...items) : html('p', { class: 'quiet' }, none);
    const more =
      found.length > 20 ? [html('p', { class: 'quiet' }, `and ${found.length - 20} more`)] : [];
    return html(
      'div',
      {},
      html(
        'h3',
        {},
        html(
          'span',
          { class: `compare-letter c${i % 8}`, 'aria-hidden': 'true' },
          letter(i).toUpperCase(),
        ),
        shownName(run),
      ),
      list,
      ...more,
    );
  });
  return html('div', { class: 'compare-findings' }, ...columns);
}
