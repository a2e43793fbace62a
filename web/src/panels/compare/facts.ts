// Differences between runs other than tensors: what rules say, hyperparameters, what was recorded,
// tags, status, findings.

import type { RunDetail, RunFacts } from '../../api/types';
import { html } from '../../base/dom';
import { differing, isSame, type Line, plainLines } from './fact_lines';
import { recorded, verdictOf } from './run_words';
import { letter } from './state';

export type KnownFacts = ReadonlyMap<string, RunFacts>; // By the id of the run.

function body(title: string, all: readonly Line[], columns: number): HTMLElement[] {
  if (all.length === 0) return [];
  const head = html(
    'tr',
    { class: 'compare-group' },
    html('th', { colspan: columns + 1, scope: 'rowgroup' }, title),
  );
  const rows = all.map((line) => {
    const cells = line.values.map((value) =>
      html(
        'td',
        { class: line.kind ?? '' },
        value === undefined ? html('span', { class: 'quiet' }, 'not set') : value,
      ),
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
      run.name,
    ),
  );
  const table = html('table', {}, html('thead', {}, html('tr', {}, html('td'), ...heads)));
  const records: [string, (run: RunDetail) => Record<string, string>][] = [
    [
      'Hyperparameters',
      (run) => ({ ...run.hyper_parameters, ...facts.get(run.id)?.hyper_parameters }),
    ],
    ['Recorded at the start', (run) => recorded(facts.get(run.id))],
    ['Python packages', (run) => facts.get(run.id)?.python?.packages ?? {}],
    ['Environment', (run) => facts.get(run.id)?.environment?.values ?? {}],
    ['Tags', (run) => run.tags],
  ];
  table.append(
    verdicts(runs),
    ...records.flatMap(([title, of]) => body(title, differing(runs, of, same), runs.length)),
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
        run.name,
      ),
      list,
      ...more,
    );
  });
  return html('div', { class: 'compare-findings' }, ...columns);
}
