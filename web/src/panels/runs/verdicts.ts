// What the list says of a run's rules. Red is for problems only: a list in which nearly everything is
// red tells nothing.

import type { RunSummary, Severity } from '../../api/types';
import { counted, type Tone } from '../../api/words';

export interface RunVerdict {
  words: string;
  tone: Tone;
  title: string;
}

const TONES: [Severity, Tone][] = [
  ['problem', 'bad'],
  ['warning', 'warning'],
  ['note', 'quiet'],
];

export function verdictsOf(run: RunSummary): RunVerdict[] {
  const { total, no_data: blind, errors, running } = run.rules;
  const of = counted(total, 'rule');
  const verdicts: RunVerdict[] = [];
  for (const [severity, tone] of TONES) {
    const count = run.incident_counts[severity];
    const title = `${counted(run.findings, 'finding')} from ${run.rules.issues} of ${of}`;
    if (count > 0) verdicts.push({ words: counted(count, severity), tone, title });
  }
  if (errors > 0)
    verdicts.push({
      words: `${errors} failed`,
      tone: 'quiet',
      title: `${errors} of ${of} failed`,
    });
  if (verdicts.length > 0) return verdicts;
  if (total === 0)
    return [{ words: 'no rules', tone: 'quiet', title: 'No rules are set for this run' }];
  if (running > 0)
    return [{ words: 'no problems so far', tone: 'accent', title: `${running} of ${of} running` }];
  if (blind > 0)
    return [
      {
        words: 'not fully checked',
        tone: 'quiet',
        title: `${blind} of ${of} had no data to check`,
      },
    ];
  return [{ words: 'no problems found', tone: 'good', title: `${of} checked` }];
}

// For sorting: any problem counts more than all warnings, any warning more than all notes.
export function urgency({ incident_counts: counts, rules }: RunSummary): number {
  return counts.problem * 1e6 + counts.warning * 1e3 + counts.note + rules.errors;
}
