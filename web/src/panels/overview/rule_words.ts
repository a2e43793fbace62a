// What the table of rules says about each rule.

import type { RuleStatus, RuleView, RunDetail } from '../../api/types';
import { counted } from '../../api/words';
import { ended, sentence } from '../common/states';

const ORDER: RuleStatus[] = [
  'Error',
  'IssuesFound',
  'InProgress',
  'Stopping',
  'Stopped',
  'NoIssuesFound',
];

const rank = (rule: RuleView): number => {
  const place = ORDER.indexOf(rule.status);
  if (rule.status === 'InProgress' && rule.findings.length > 0) return ORDER.indexOf('IssuesFound');
  return place < 0 ? ORDER.length : place;
};

// Rules of one status keep their order.
export const byStatus = (rules: readonly RuleView[]): RuleView[] =>
  [...rules].sort((a, b) => rank(a) - rank(b));

export function coverage(rule: RuleView): string {
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
export function whyNotEvaluated({ reason, notes }: RuleView): string {
  const why = [ended(reason || NO_REASON), ...notes.map(sentence)].join(' ');
  return /^not checked/i.test(why) ? sentence(why) : `Not checked: ${why}`;
}

// Why a rule has no result; null if it has one, or if it is too early to tell.
export function trouble(rule: RuleView, run: RunDetail): { heading: string; words: string } | null {
  if (rule.status === 'Error')
    return { heading: 'Failed:', words: ended(rule.reason || NO_REASON) };
  const blind = rule.status === 'InProgress' && isBlind(rule) && run.progress.steps > 0;
  const words = rule.reason ? ended(rule.reason) : 'no saved tensor matches this rule.';
  return blind ? { heading: 'No data yet:', words } : null;
}

// Messages that nobody gets: whoever relies on a mail must see it here.
export const unsentWords = (rules: readonly RuleView[]): string[] =>
  rules
    .filter(({ unsent }) => unsent)
    .map(({ name, status, unsent = '' }) => {
      const when = status === 'InProgress' ? 'will not be sent' : 'was not sent';
      return `${name}: a message ${when}: ${ended(unsent)}`;
    });

export const parameters = (rule: RuleView): string =>
  Object.entries(rule.parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
