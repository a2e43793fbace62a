// Changes of what people say of runs: names, tags, notes.

import { below, type Client, type Refusal } from '../../api/client';
import type { RunMarks, RunSummary } from '../../api/types';
import { counted } from '../../api/words';
import { shownName } from '../common/run_names';

export const MOST_TAGS = 32;
const LONGEST_TAG = 64;

// 'a, b c': tags have neither blanks nor commas.
export const readTags = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((tag) => tag !== '')),
];

// What is wrong with them; '': nothing.
export function tagsProblem(tags: readonly string[]): string {
  const long = tags.find((tag) => tag.length > LONGEST_TAG);
  if (long !== undefined)
    return `tag '${long.slice(0, 20)}…' has ${long.length} characters; expected at most ${LONGEST_TAG}`;
  if (tags.length > MOST_TAGS) return `${tags.length} tags; expected at most ${MOST_TAGS}`;
  return '';
}

export const withTags = (
  { tags }: RunMarks,
  added: readonly string[],
  removed: readonly string[],
): string[] => [...new Set([...tags, ...added])].filter((tag) => !removed.includes(tag));

// Only what differs; null: nothing does.
export function changesOf(before: RunMarks, after: RunMarks): Partial<RunMarks> | null {
  const changes = Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof RunMarks]),
    ),
  ) as Partial<RunMarks>;
  return Object.keys(changes).length === 0 ? null : changes;
}

// 'resnet', '3 runs'.
export const namesOf = (runs: readonly RunSummary[]): string =>
  runs.length === 1 && runs[0] ? shownName(runs[0]) : counted(runs.length, 'run');

// One after the other; the first refusal ends it. Null: all done.
export async function forEachRun(
  runs: readonly RunSummary[],
  act: (run: RunSummary) => Promise<{ ok: boolean; error?: Refusal }>,
): Promise<string | null> {
  for (const run of runs) {
    const answer = await act(run);
    if (!answer.ok) return `${shownName(run)}: ${answer.error?.message ?? ''}`;
  }
  return null;
}

export const changeMarks = (
  client: Client,
  run: RunSummary,
  changes: Partial<RunMarks>,
): ReturnType<Client['send']> => client.send('POST', below(run.id, 'marks'), changes);

export const deleteRun = (client: Client, run: RunSummary): ReturnType<Client['send']> =>
  client.send('POST', below(run.id, 'delete'), {});

export const restoreRun = (client: Client, id: string): ReturnType<Client['send']> =>
  client.send('POST', `trash/${encodeURIComponent(id)}/restore`, {});
