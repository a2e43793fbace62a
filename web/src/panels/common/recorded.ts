// What 'warden run' recorded of a run, as names and values.

import type { RunFacts } from '../../api/types';
import { counted } from '../../api/words';

const gigabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 30)} GiB`;

// Packages, variables and uncommitted changes are separate.
export function recorded(facts: RunFacts | undefined): Record<string, string> {
  const { git, python, machine, command, directory } = facts ?? {};
  const found: Record<string, string> = {};
  if (command) found['Command'] = command.join(' ');
  if (directory) found['Folder of the command'] = directory;
  if (git) {
    found['Git commit'] = git.commit.slice(0, 12) + (git.dirty ? ' with changes' : '');
    if (git.branch) found['Git branch'] = git.branch;
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

export interface Changes {
  words: string; // '2 files, 5 lines added, 1 removed', 'none'.
  diff: string; // '': none.
}

// Uncommitted changes of the source code; null: not known.
export function changesOf(facts: RunFacts | undefined): Changes | null {
  if (!facts?.git) return null;
  const { diff, diff_cut: cut } = facts.git;
  if (diff === '') return { words: 'none', diff };
  const lines = diff.split('\n');
  const count = (start: RegExp): number => lines.filter((line) => start.test(line)).length;
  const [files, added] = [count(/^diff /), count(/^\+(?!\+\+ )/)];
  const what = `${counted(files, 'file')}, ${counted(added, 'line')} added, ${count(/^-(?!-- )/)} removed`;
  return { words: cut ? `the beginning of them: ${what}` : what, diff };
}
