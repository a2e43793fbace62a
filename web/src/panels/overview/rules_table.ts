// The rules: what each has said, and what of the run it has seen.
// A rule that saw nothing must not look like one that is content.

import type { RuleStatus, RuleView, RunDetail } from '../../api/types';
import { counted, ruleSaid } from '../../api/words';
import { html } from '../../base/dom';
import { sentence } from '../common/states';

const ORDER: RuleStatus[] = ['NotEvaluated', 'Error', 'IssuesFound', 'InProgress', 'Stopping', 'Stopped', 'NoIssuesFound'];
const SAVE_ADVICE =
  'Save what it looks at (collections in the hook configuration), or change its parameters to fit what is saved.';
const NO_RULES =
  'No rule watches this run. “warden run --rules default” has some; “warden eval” judges what is saved already.';

const rank = (rule: RuleView): number => {
  const place = ORDER.indexOf(rule.status);
  if (rule.status === 'InProgress' && rule.findings.length > 0) return ORDER.indexOf('IssuesFound');
  return place < 0 ? ORDER.length : place;
};

function coverage(rule: RuleView): string {
  if (rule.kind !== 'debug') return '–';
  const { tensors, steps } = rule.coverage;
  // Some judge the steps themselves.
  return tensors === 0 && steps > 0 ? counted(steps, 'step') : `${counted(tensors, 'tensor')} × ${counted(steps, 'step')}`;
}

const isBlind = ({ kind, coverage }: RuleView): boolean => kind === 'debug' && coverage.tensors === 0 && coverage.steps === 0;

// Why a rule says nothing, and what to do; null if all is well.
function trouble(rule: RuleView, run: RunDetail): { heading: string; words: string } | null {
  if (rule.status === 'NotEvaluated') {
    const advice = /^no tensor/i.test(rule.reason) && rule.notes.length === 0 ? [SAVE_ADVICE] : rule.notes.map(sentence);
    return { heading: 'Judged nothing:', words: [sentence(rule.reason || 'it did not say why'), ...advice].join(' ') };
  }
  if (rule.status === 'Error') return { heading: 'Failed:', words: sentence(rule.reason || 'It did not say why') };
  const blind = rule.status === 'InProgress' && isBlind(rule) && run.progress.steps > 0;
  return blind ? { heading: 'Nothing to judge so far:', words: 'no saved tensor is one that it looks at.' } : null;
}

const parameters = (rule: RuleView): string =>
  Object.entries(rule.parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

function rows(rule: RuleView, run: RunDetail): HTMLElement[] {
  const { words, tone } = ruleSaid(rule);
  const problem = trouble(rule, run);
  const name = html('th', { scope: 'row' }, html('span', { class: 'overview-rule' }, rule.name));
  if (rule.rule !== rule.name) name.append(html('span', { class: 'quiet' }, ` (${rule.rule})`));
  if (rule.doc) name.append(html('div', { class: 'quiet overview-doc' }, rule.doc));
  const row = html(
    'tr',
    problem ? { class: 'overview-troubled' } : {},
    name,
    html('td', {}, html('span', { class: `badge ${tone}` }, words)),
    html('td', { class: 'number' }, rule.findings.length > 0 ? rule.findings.length.toLocaleString('en') : '–'),
    html('td', { class: `number${isBlind(rule) ? ' bad' : ''}` }, coverage(rule)),
    html(
      'td',
      { class: 'quiet overview-parameters', title: parameters(rule).replaceAll('; ', '\n') },
      parameters(rule) || '–',
    ),
  );
  if (!problem) return [row];
  const toneOf = rule.status === 'InProgress' ? 'warning' : 'bad';
  const said = html('div', { class: `overview-said ${toneOf}` }, html('strong', {}, problem.heading), ` ${problem.words}`);
  return [row, html('tr', { class: 'overview-trouble' }, html('td', { colspan: 5 }, said))];
}

export class RulesTable {
  readonly element: HTMLElement;
  private readonly body = html('tbody');
  private readonly count = html('span', { class: 'quiet' });
  private shown = '';

  constructor() {
    const heads = ['Rule', 'Status', 'Findings', 'Coverage', 'Parameters'].map((words, i) =>
      html('th', i === 2 || i === 3 ? { scope: 'col', class: 'number' } : { scope: 'col' }, words),
    );
    const table = html('table', { 'aria-label': 'Rules' }, html('thead', {}, html('tr', {}, ...heads)), this.body);
    this.element = html(
      'section',
      { class: 'card flush', id: 'rules' },
      html('div', { class: 'overview-heading row apart' }, html('h2', {}, 'Rules'), this.count),
      html('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Rules' }, table),
    );
  }

  update(run: RunDetail): void {
    const shown = run.rules_seen.map(({ findings, ...rule }) => ({ ...rule, findings: findings.length }));
    const key = JSON.stringify([shown, run.progress.steps > 0]);
    if (key === this.shown) return; // Nobody's selection of words is lost for nothing.
    this.shown = key;
    const rules = run.rules_seen.map((rule, place) => ({ rule, place }));
    rules.sort((a, b) => rank(a.rule) - rank(b.rule) || a.place - b.place);
    this.body.replaceChildren(...rules.flatMap(({ rule }) => rows(rule, run)));
    if (rules.length === 0) this.body.append(html('tr', {}, html('td', { colspan: 5, class: 'quiet' }, NO_RULES)));
    const missing = run.rules_seen.filter(({ status }) => status === 'NotEvaluated').length;
    this.count.textContent = `${counted(rules.length, 'rule')}${missing > 0 ? `, ${missing} not evaluated` : ''}`;
  }
}
