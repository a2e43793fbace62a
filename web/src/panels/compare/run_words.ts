// What the rules say of a run, in a few words, and what was recorded of it.

import type { RunDetail, RunFacts } from '../../api/types';
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

const gigabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 30)} GiB`;

// What 'warden run' recorded, as names and values; packages and variables are separate.
export function recorded(facts: RunFacts | undefined): Record<string, string> {
  const { git, python, machine, command, directory } = facts ?? {};
  const found: Record<string, string> = {};
  if (command) found['Command'] = command.join(' ');
  if (directory) found['Folder of the command'] = directory;
  if (git) {
    found['Git commit'] = git.commit.slice(0, 12) + (git.dirty ? ' with changes' : '');
    if (git.branch) found['Git branch'] = git.branch;
    if (git.diff) found['Uncommitted changes'] = changesIn(git.diff);
  }
  if (python) found['Python'] = python.version;
  if (machine) {
    found['Host'] = machine.host;
    found['System'] = machine.system;
    found['CPU'] = `${machine.cpu} (${counted(machine.cores, 'core')})`;
    found['Memory'] = gigabytes(machine.memory);
    found['GPUs'] = machine.gpus.map(({ name }) => name).join(', ') || 'none';
  }
  return found;
}

// '2 files, 5 lines added, 1 removed'.
function changesIn(diff: string): string {
  const lines = diff.split('\n');
  const count = (start: RegExp): number => lines.filter((line) => start.test(line)).length;
  const [files, added] = [count(/^diff /), count(/^\+(?!\+\+ )/)];
  return `${counted(files, 'file')}, ${counted(added, 'line')} added, ${count(/^-(?!-- )/)} removed`;
}
