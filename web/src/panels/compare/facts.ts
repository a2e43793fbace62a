// Differences between runs other than tensors: hyperparameters, tags, status, findings.

import type { RunDetail } from '../../api/types';
import { html } from '../../base/dom';
import { differing, isSame, type Line, plainLines } from './fact_lines';
import { letter } from './state';

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

// same: also show lines that are equal in all runs.
export function factsTable(runs: readonly RunDetail[], same: boolean): HTMLElement {
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
  table.append(...body('Run', plainLines(runs), runs.length));
  table.append(
    ...body(
      'Hyperparameters',
      differing(runs, (run) => run.hyper_parameters, same),
      runs.length,
    ),
  );
  table.append(
    ...body(
      'Tags',
      differing(runs, (run) => run.tags, same),
      runs.length,
    ),
  );
  return html('div', { class: 'table' }, table);
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
