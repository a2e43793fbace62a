// What the rules say of a run, in a few words.

import type { RunDetail } from '../../api/types';
import { counted, isRunning } from '../../api/words';

export interface Verdict {
  tone: 'good' | 'warning' | 'bad' | 'quiet';
  words: string; // 'NaNOrigin since step 51'.
  more: string; // The headline; may be ''.
}

const NAN = /\bNaN\b/;

// Worst first, as the server sends them. Never an all-clear while a rule that applies had no data.
export function verdictOf(run: RunDetail): Verdict {
  const [worst, ...others] = run.incidents;
  if (worst) {
    const what = NAN.test(worst.headline) ? 'NaN' : worst.rule;
    const also = others.length > 0 ? `, and ${others.length} more` : '';
    return {
      tone:
        worst.severity === 'problem' ? 'bad' : worst.severity === 'warning' ? 'warning' : 'quiet',
      words: `${what} ${worst.since === '' ? '' : `since ${worst.since}`}`.trim() + also,
      more: worst.headline,
    };
  }
  const { total, no_data: blind, errors } = run.rules;
  if (total === 0) return { tone: 'quiet', words: 'No rules were evaluated', more: '' };
  if (blind + errors > 0)
    return {
      tone: 'warning',
      words: 'Not fully checked',
      more: `${counted(blind + errors, 'rule')} could not check this run`,
    };
  const so_far = isRunning(run) ? ' so far' : '';
  return { tone: 'good', words: `No problems found${so_far}`, more: '' };
}
