// The rules that checked the run, or are about to: the status of each, and how much it has seen. The
// verdict lists the others.

import type { RuleView, RunDetail } from '../../api/types';
import { counted, ruleSaid } from '../../api/words';
import { html } from '../../base/dom';
import { byStatus, coverage, parameters, trouble } from './rule_words';

const NO_RULES =
  'No rules are set for this run. Start it with “warden run --rules default”, or check saved data with “warden eval”.';

function title(rule: RuleView): HTMLElement[] {
  const name = html('span', { class: 'overview-rule' }, rule.name);
  return rule.rule === rule.name
    ? [name]
    : [name, html('span', { class: 'quiet' }, ` (${rule.rule})`)];
}

function rows(rule: RuleView, run: RunDetail): HTMLElement[] {
  const { words, tone } = ruleSaid(rule);
  const problem = trouble(rule, run);
  const name = html('th', { scope: 'row' }, ...title(rule));
  if (rule.doc) name.append(html('div', { class: 'quiet overview-doc' }, rule.doc));
  const row = html(
    'tr',
    problem ? { class: 'overview-troubled' } : {},
    name,
    html('td', {}, html('span', { class: `badge ${tone}` }, words)),
    html(
      'td',
      { class: 'number' },
      rule.findings.length > 0 ? rule.findings.length.toLocaleString('en') : '–',
    ),
    html('td', { class: 'number' }, coverage(rule)),
    html(
      'td',
      { class: 'quiet overview-parameters', title: parameters(rule).replaceAll('; ', '\n') },
      parameters(rule) || '–',
    ),
  );
  if (!problem) return [row];
  const toneOf = rule.status === 'InProgress' ? 'warning' : 'bad';
  const said = html(
    'div',
    { class: `overview-said ${toneOf}` },
    html('strong', {}, problem.heading),
    ` ${problem.words}`,
  );
  return [row, html('tr', { class: 'overview-trouble' }, html('td', { colspan: 5 }, said))];
}

export class RulesTable {
  readonly element: HTMLElement;
  private readonly body = html('tbody');
  private readonly table: HTMLElement;
  private readonly count = html('span', { class: 'quiet' });
  private shown = '';

  constructor() {
    const heads = ['Rule', 'Status', 'Findings', 'Coverage', 'Parameters'].map((words, i) =>
      html('th', i === 2 || i === 3 ? { scope: 'col', class: 'number' } : { scope: 'col' }, words),
    );
    const table = html(
      'table',
      { 'aria-label': 'Rules' },
      html('thead', {}, html('tr', {}, ...heads)),
      this.body,
    );
    this.table = html(
      'div',
      { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Rules' },
      table,
    );
    this.element = html(
      'section',
      { class: 'card flush', id: 'rules' },
      html('div', { class: 'overview-heading row apart' }, html('h2', {}, 'Rules'), this.count),
      this.table,
    );
  }

  update(run: RunDetail): void {
    const shown = run.rules_seen.map(({ findings, ...rule }) => ({
      ...rule,
      findings: findings.length,
    }));
    const key = JSON.stringify([shown, run.progress.steps > 0]);
    if (key === this.shown) return; // Keeps the reader's text selection.
    this.shown = key;
    const rules = byStatus(run.rules_seen.filter(({ status }) => status !== 'NotEvaluated'));
    this.body.replaceChildren(...rules.flatMap((rule) => rows(rule, run)));
    if (run.rules_seen.length === 0)
      this.body.append(html('tr', {}, html('td', { colspan: 5, class: 'quiet' }, NO_RULES)));
    this.element.hidden = this.body.childElementCount === 0;
    this.count.textContent = counted(rules.length, 'rule');
  }
}
