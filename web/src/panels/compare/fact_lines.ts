// The lines of the table that compares runs.

import type { RunDetail, RunSummary } from '../../api/types';
import { runStatus } from '../../api/words';
import { duration, utc } from '../../base/format';

export interface Line {
  name: string;
  values: (string | undefined)[];
  kind?: 'mono';
  own?: true; // Always differs between runs.
}

export const statusWords = ({ status }: RunSummary): string =>
  runStatus(status).words.toLowerCase();

export const isSame = ({ values }: Line): boolean => values.every((value) => value === values[0]);

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

// One line per name that any run has. same: also those that are equal in all runs.
export const differing = (
  runs: readonly RunDetail[],
  of: (run: RunDetail) => Record<string, string>,
  same: boolean,
): Line[] => lines(runs, of).filter((line) => same || !isSame(line));
