// Display text and color of statuses.

import type { RuleStatus, RuleView, RunStatus, RunSummary } from './types';

export type Tone = 'good' | 'warning' | 'bad' | 'accent' | 'quiet';

interface Said {
  words: string;
  tone: Tone;
}

const RUN: Record<RunStatus, Said> = {
  InProgress: { words: 'Running', tone: 'accent' },
  Completed: { words: 'Completed', tone: 'good' },
  Failed: { words: 'Failed', tone: 'bad' },
  Stopping: { words: 'Stopping', tone: 'warning' },
  Stopped: { words: 'Stopped', tone: 'quiet' },
  Unknown: { words: 'Unknown', tone: 'quiet' },
};

const RULE: Record<RuleStatus, Said> = {
  InProgress: { words: 'Running', tone: 'accent' },
  NoIssuesFound: { words: 'No problems found', tone: 'good' },
  IssuesFound: { words: 'Problems found', tone: 'warning' },
  NotEvaluated: { words: 'Not evaluated', tone: 'quiet' },
  Error: { words: 'Error', tone: 'bad' },
  Stopping: { words: 'Stopping', tone: 'quiet' },
  Stopped: { words: 'Stopped', tone: 'quiet' },
};

// A newer server may send statuses unknown here; show its own word.
export const runStatus = (status: RunStatus): Said =>
  (Object.hasOwn(RUN, status) && RUN[status]) || { words: String(status), tone: 'quiet' };
export const ruleStatus = (status: RuleStatus): Said =>
  (Object.hasOwn(RULE, status) && RULE[status]) || { words: String(status), tone: 'quiet' };

// A running rule that already found problems says so.
export function ruleSaid(rule: RuleView): Said {
  if (rule.status === 'InProgress' && rule.findings.length > 0)
    return { words: 'Problems so far', tone: 'warning' };
  return ruleStatus(rule.status);
}

export const isRunning = (run: RunSummary): boolean =>
  run.status === 'InProgress' || run.status === 'Stopping';

// From the start to the end, or until now while it runs; null if it never started.
export function runSeconds(run: RunSummary, now: number): number | null {
  const start = run.started ?? run.created;
  if (start === null) return null;
  const end = run.ended ?? (isRunning(run) ? now : run.modified);
  return end === null || end < start ? null : end - start;
}

// "just now", "5 minutes ago", "3 days ago".
export function ago(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 45) return 'just now';
  const steps: [number, string][] = [
    [60, 'minute'],
    [3600, 'hour'],
    [86400, 'day'],
    [30 * 86400, 'month'],
    [365 * 86400, 'year'],
  ];
  let [size, unit] = steps[0] as [number, string];
  for (const [more, name] of steps) if (seconds >= more * 0.95) [size, unit] = [more, name];
  const count = Math.max(1, Math.round(seconds / size));
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : nouns}`;
