// What the rules say of the run as a whole. Never calls a run fine while a rule that
// applies to it could not check it.

import type { Incident, RuleView, RunDetail } from '../../api/types';
import { counted, isRunning, type Tone } from '../../api/words';
import { severityCounts, severitySaid } from './incident_words';

export interface Verdict {
  tone: Tone;
  words: string;
  more: string; // What it rests on; may be ''.
}

// Rules by what became of them. Those with findings are in none of these: incidents tell of them.
export interface RuleGroups {
  fine: RuleView[]; // Checked, found nothing; also while it runs, if it has seen something.
  waiting: RuleView[]; // Running, nothing seen yet.
  failed: RuleView[];
  blind: RuleView[]; // Would apply, but had no data.
  inapplicable: RuleView[];
}

const hasSeen = ({ coverage }: RuleView): boolean => coverage.steps > 0 || coverage.tensors > 0;

export function groupRules(rules: readonly RuleView[]): RuleGroups {
  const groups: RuleGroups = { fine: [], waiting: [], failed: [], blind: [], inapplicable: [] };
  for (const rule of rules) {
    if (rule.shadow) continue; // Nobody acts on what it says.
    if (rule.status === 'Error') groups.failed.push(rule);
    else if (rule.status === 'NotEvaluated')
      (rule.applies ? groups.blind : groups.inapplicable).push(rule);
    else if (rule.findings.length > 0) continue;
    else if (rule.status === 'NoIssuesFound' || hasSeen(rule)) groups.fine.push(rule);
    else groups.waiting.push(rule);
  }
  return groups;
}

// 'NotLearning could not check this run', '3 rules could not check this run'.
function couldNot({ failed, blind }: RuleGroups): string {
  const silent = [...failed, ...blind];
  if (silent.length === 0) return '';
  const who = silent.length === 1 ? (silent[0]?.name ?? '') : counted(silent.length, 'rule');
  return `${who} could not check this run`;
}

const joined = (parts: string[]): string => {
  const said = parts.filter((words) => words !== '');
  return said.length > 0 ? `${said.join('. ')}.` : '';
};

function withIncidents(incidents: readonly Incident[], groups: RuleGroups): Verdict {
  const worst = incidents[0]?.severity ?? 'note';
  const fine =
    groups.fine.length > 0 ? `${counted(groups.fine.length, 'other rule')} found nothing` : '';
  return {
    tone: severitySaid(worst).tone,
    words: severityCounts(incidents),
    more: joined([fine, couldNot(groups)]),
  };
}

export function verdictOf(run: RunDetail): Verdict {
  const rules = run.rules_seen.filter(({ shadow }) => !shadow);
  if (rules.length === 0)
    return { tone: 'quiet', words: 'Not checked', more: 'No rules are set for this run.' };
  const groups = groupRules(rules);
  if (run.incidents.length > 0) return withIncidents(run.incidents, groups);
  const { fine, waiting } = groups;
  const checked = fine.length > 0 ? `${counted(fine.length, 'rule')} found no problems` : '';
  const could = couldNot(groups);
  if (isRunning(run) || waiting.length > 0) {
    const words = fine.length > 0 ? 'No problems so far' : 'Waiting for data';
    const silent = waiting.length > 0 ? `${counted(waiting.length, 'rule')} without data yet` : '';
    return { tone: 'accent', words, more: joined([checked, silent, could]) };
  }
  if (fine.length === 0)
    return { tone: 'quiet', words: 'Not checked', more: 'No rule had data to check.' };
  if (could !== '')
    return { tone: 'quiet', words: 'Not fully checked', more: joined([checked, could]) };
  return {
    tone: 'good',
    words: 'No problems found',
    more: `${counted(fine.length, 'rule')} checked.`,
  };
}
