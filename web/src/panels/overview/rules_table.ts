// The rules: the status of each, and how much of the run it has seen. Rules that were not evaluated
// are listed apart: they neither passed nor failed, and are rarely what the reader came for.

import type { RuleStatus, RuleView, RunDetail } from '../../api/types';
import { counted, ruleSaid } from '../../api/words';
import { html } from '../../base/dom';
import { ended, sentence } from '../common/states';

const ORDER: RuleStatus[] = [
  'Error',
  'IssuesFound',
  'InProgress',
  'Stopping',
  'Stopped',
  'NoIssuesFound',
];
const NO_RULES =
  'No rules are set for this run. Start it with “warden run --rules default”, or check saved data with “warden eval”.';

const rank = (rule: RuleView): number => {
  const place = ORDER.indexOf(rule.status);
  if (rule.status === 'InProgress' && rule.findings.length > 0) return ORDER.indexOf('IssuesFound');
  return place < 0 ? ORDER.length : place;
};

function coverage(rule: RuleView): string {
  if (rule.kind !== 'debug') return '–';
  const { tensors, steps } = rule.coverage;
  // Some rules check the steps themselves.
  return tensors === 0 && steps > 0
    ? counted(steps, 'step')
    : `${counted(tensors, 'tensor')} × ${counted(steps, 'step')}`;
}

const isBlind = ({ kind, coverage }: RuleView): boolean =>
  kind === 'debug' && coverage.tensors === 0 && coverage.steps === 0;

const NO_REASON = 'no reason was reported';

// Why a rule was not evaluated; the reason says how to save what is missing.
function whyNotEvaluated({ reason, notes }: RuleView): string {
  return [ended(reason || NO_REASON), ...notes.map(sentence)].join(' ');
}

// Why a rule has no result; null if it has one, or if it is too early to tell.
function trouble(rule: RuleView, run: RunDetail): { heading: string; words: string } | null {
  if (rule.status === 'Error')
    return { heading: 'Failed:', words: ended(rule.reason || NO_REASON) };
  const blind = rule.status === 'InProgress' && isBlind(rule) && run.progress.steps > 0;
  return blind ? { heading: 'No data yet:', words: 'no saved tensor matches this rule.' } : null;
}

const parameters = (rule: RuleView): string =>
  Object.entries(rule.parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

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

function skippedItem(rule: RuleView): HTMLElement {
  const why = whyNotEvaluated(rule);
  const words = /^not checked/i.test(why) ? sentence(why) : `Not checked: ${why}`;
  return html('li', {}, ...title(rule), ` ${words}`);
}

export class RulesTable {
  readonly element: HTMLElement;
  private readonly body = html('tbody');
  private readonly table: HTMLElement;
  private readonly count = html('span', { class: 'quiet' });
  private readonly skippedCount = html('summary');
  private readonly skippedList = html('ul', { 'aria-label': 'Rules not evaluated' });
  private readonly skipped = html(
    'details',
    { class: 'quiet overview-skipped' },
    this.skippedCount,
    this.skippedList,
  );
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
      this.skipped,
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
    const skipped = run.rules_seen.filter(({ status }) => status === 'NotEvaluated');
    const rules = run.rules_seen.filter(({ status }) => status !== 'NotEvaluated');
    rules.sort((a, b) => rank(a) - rank(b)); // Stable: rules of one status keep their order.
    this.body.replaceChildren(...rules.flatMap((rule) => rows(rule, run)));
    if (run.rules_seen.length === 0)
      this.body.append(html('tr', {}, html('td', { colspan: 5, class: 'quiet' }, NO_RULES)));
    this.table.hidden = this.body.childElementCount === 0;
    this.count.textContent = counted(run.rules_seen.length, 'rule');
    this.skipped.hidden = skipped.length === 0;
    this.skippedCount.textContent = `${counted(skipped.length, 'rule')} had no data to check`;
    this.skippedList.replaceChildren(...skipped.map(skippedItem));
  }
}
