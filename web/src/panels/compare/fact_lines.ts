// The lines of the table that compares runs.

import type { RunDetail, RunSummary } from '../../api/types';
import { runStatus } from '../../api/words';
import { duration, utc } from '../../base/format';
import type { Changes } from '../common/recorded';

export interface Line {
  name: string;
  values: (string | undefined)[];
  kind?: 'mono';
  own?: true; // Always differs between runs.
  texts?: (string | undefined)[]; // Folded below the values, which are only about them.
}

export const statusWords = ({ status }: RunSummary): string =>
  runStatus(status).words.toLowerCase();

export const isSame = ({ values, texts = values }: Line): boolean =>
  texts.every((text) => text === texts[0]);

function lines(runs: readonly RunDetail[], of: (run: RunDetail) => Record<string, string>): Line[] {
  const names = [...new Set(runs.flatMap((run) => Object.keys(of(run))))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  return names.map((name) => ({
    name,
    values: runs.map((run) => (Object.hasOwn(of(run), name) ? of(run)[name] : undefined)),
    kind: 'mono',
  }));
}

export function plainLines(runs: readonly RunDetail[]): Line[] {
  const took = ({ started, ended }: RunDetail): string =>
    started !== null && ended !== null ? duration(ended - started) : '–';
  return [
    { name: 'Status', values: runs.map(statusWords) },
    {
      name: 'Started',
      values: runs.map(({ started, created }) => utc(started ?? created ?? NaN) || '–'),
      own: true,
    },
    { name: 'Duration', values: runs.map(took), own: true },
    {
      name: 'Last step',
      values: runs.map(({ last_step }) => last_step?.toLocaleString('en') ?? '–'),
    },
    { name: 'Findings', values: runs.map(({ findings }) => String(findings)) },
  ];
}

// Uncommitted changes may be different ones though they are as many. No line if no run has any.
export function changesLine(all: readonly (Changes | null)[]): Line[] {
  if (!all.some((changes) => changes?.diff)) return [];
  return [
    {
      name: 'Uncommitted changes',
      values: all.map((changes) => changes?.words),
      texts: all.map((changes) => changes?.diff),
    },
  ];
}

// Of people and of the job. Tags without a value are there or not.
export const tagRecord = ({ tags, marks }: RunSummary): Record<string, string> => ({
  ...Object.fromEntries(marks.tags.map((tag) => [tag, '✓'])),
  ...tags,
});

// One line per name that any run has. same: also those that are equal in all runs.
export const differing = (
  runs: readonly RunDetail[],
  of: (run: RunDetail) => Record<string, string>,
  same: boolean,
): Line[] => lines(runs, of).filter((line) => same || !isSame(line));
