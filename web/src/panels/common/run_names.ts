// What runs are called: by people where they have said so, else by the run itself.

import type { RunSummary } from '../../api/types';

export const shownName = (run: RunSummary): string => run.marks.display_name || run.name;

export const labelled = (name: string, value: string): string =>
  value === '' ? name : `${name}=${value}`;

// Given by people, then those of the job: 'team=vision', 'baseline'.
export const tagsOf = (run: RunSummary): string[] => [
  ...new Set([
    ...run.marks.tags,
    ...Object.entries(run.tags).map(([name, value]) => labelled(name, value)),
  ]),
];
