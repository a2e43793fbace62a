// Which runs are offered for a comparison, of thousands: those that match what is typed.

import type { RunId, RunSummary } from '../../api/types';
import { shownName } from '../common/run_names';
import { statusWords } from './fact_lines';

const OFFERED = 50;

export interface RunChoice {
  id: RunId;
  label: string; // 'resnet (completed)'; with the folder where several runs would be called the same.
}

export function choicesOf(runs: readonly RunSummary[]): RunChoice[] {
  const label = (run: RunSummary): string => `${shownName(run)} (${statusWords(run)})`;
  const times = new Map<string, number>();
  for (const run of runs) times.set(label(run), (times.get(label(run)) ?? 0) + 1);
  return runs.map((run) => ({
    id: run.id,
    label: times.get(label(run)) === 1 ? label(run) : `${label(run)} ${run.folder}`,
  }));
}

const plain = (words: string): string => words.trim().toLowerCase();

// All words are in the label, whatever their case; those that begin like this come first.
function matching(choices: readonly RunChoice[], typed: string): RunChoice[] {
  const words = plain(typed).split(/\s+/);
  const all = choices.filter(({ label }) => words.every((word) => plain(label).includes(word)));
  const begins = ({ label }: RunChoice): boolean => plain(label).startsWith(plain(typed));
  return [...all.filter(begins), ...all.filter((choice) => !begins(choice))];
}

export const offered = (choices: readonly RunChoice[], typed: string): RunChoice[] =>
  matching(choices, typed).slice(0, OFFERED);

// The run that is meant, or why none is.
export function choiceMeant(choices: readonly RunChoice[], typed: string): RunChoice | string {
  const words = plain(typed);
  if (words === '') return 'Type the name of a run.';
  const exact = choices.find(({ id, label }) => plain(label) === words || id === typed.trim());
  if (exact) return exact;
  const found = matching(choices, typed);
  if (found.length === 1 && found[0]) return found[0];
  return found.length === 0
    ? `No run matches “${typed.trim()}”.`
    : `${found.length.toLocaleString('en')} runs match “${typed.trim()}”. Choose one of the list.`;
}
