// Runs with the same hyperparameter or tag together.

import { compareKeys } from './columns';
import { tagsOf } from '../common/run_names';
import { type Field, fieldOf, fieldTitle, type ListedRun, valueOf } from './fields';

export interface Group {
  key: string; // Unlike those of all other groups.
  words: string; // 'lr = 0.1'.
  value: number | string | null; // For sorting; null: the runs have none.
  runs: ListedRun[];
}

// by: the id of a hyperparameter or a tag, or 'tags': all tags of a run together.
export const groupTitle = (by: string): string => {
  const field = fieldOf(by);
  return field ? fieldTitle(field) : by === 'tags' ? 'Tags' : '';
};

function keyOf(run: ListedRun, field: Field | null): number | string | null {
  return field ? valueOf(run, field) : tagsOf(run).sort().join(', ') || null;
}

// The groups by value, those without one last; [] if `by` is unknown.
export function groupsOf(runs: readonly ListedRun[], by: string): Group[] {
  const field = fieldOf(by);
  if (!field && by !== 'tags') return [];
  const title = groupTitle(by);
  const found = new Map<number | string | null, Group>();
  for (const run of runs) {
    const value = keyOf(run, field);
    let group = found.get(value);
    if (!group) {
      const words =
        value === null ? `No ${title.toLowerCase()}` : field ? `${title} = ${value}` : `${value}`;
      group = { key: value === null ? 'none' : `=${value}`, words, value, runs: [] };
      found.set(value, group);
    }
    group.runs.push(run);
  }
  return [...found.values()].sort((a, b) => {
    if (a.value === null || b.value === null)
      return a.value === b.value ? 0 : a.value === null ? 1 : -1;
    return compareKeys(a.value, b.value);
  });
}
