// How far a run is: facts in words, and its phases.

import type { RunDetail } from '../../api/types';
import { ago, counted, isRunning, runSeconds } from '../../api/words';
import { duration, elapsed, figure, utc } from '../../base/format';

// A newer server may send phases that are not listed here.
const PHASES: Partial<Record<string, string>> = {
  initialisation: 'Initialization',
  training: 'Training',
  finalisation: 'Finalization',
  without_steps: 'No more steps for',
};
const LEAST_SHARE = 0.02; // Minimum width of a phase, so short ones stay visible.

export type Fact = [name: string, value: string, title?: string];

// now: seconds since 1970.
export function facts(run: RunDetail, now: number): Fact[] {
  const { progress } = run;
  const seconds = runSeconds(run, now);
  const found: Fact[] = [];
  if (progress.last_step !== null) {
    const of = progress.expected === null ? '' : ` of ${progress.expected.toLocaleString('en')}`;
    found.push([
      'Step',
      progress.last_step.toLocaleString('en') + of,
      `${counted(progress.steps, 'step')} saved`,
    ]);
  }
  if (progress.rate !== null) found.push(['Speed', rate(progress.rate)]);
  const left = secondsLeft(run);
  if (left !== null) found.push(['Time left', `about ${elapsed(left)}`]);
  if (seconds !== null) found.push([isRunning(run) ? 'Running for' : 'Duration', elapsed(seconds)]);
  if (isRunning(run) && progress.last_time !== null) {
    found.push(['Last saved', ago(now - progress.last_time), utc(progress.last_time)]);
  }
  const started = run.started ?? run.created;
  if (started !== null) found.push(['Started', ago(now - started), utc(started)]);
  const { hosts } = run;
  if (hosts.length > 0) {
    const named = hosts.length > 3 ? String(hosts.length) : hosts.join(', ');
    found.push([hosts.length === 1 ? 'Host' : 'Hosts', named, hosts.join('\n')]);
  }
  return found;
}

const rate = (stepsPerSecond: number): string =>
  stepsPerSecond >= 1 || stepsPerSecond <= 0
    ? `${figure(stepsPerSecond)} steps/s`
    : `${duration(1 / stepsPerSecond)} per step`;

function secondsLeft(run: RunDetail): number | null {
  const { last_step: last, expected, rate: speed } = run.progress;
  if (
    !isRunning(run) ||
    last === null ||
    expected === null ||
    speed === null ||
    speed <= 0 ||
    last >= expected
  )
    return null;
  return (expected - last) / speed;
}

interface PhaseSpan {
  name: string;
  words: string;
  start: number;
  open: boolean; // Still going.
  share: number; // Of the whole, at least LEAST_SHARE.
}

export function phaseSpans(run: RunDetail, now: number): PhaseSpan[] {
  // A run that was killed never says when its last phase ended.
  const end = isRunning(run) ? now : (run.ended ?? run.modified ?? now);
  const spans = run.phases.map((phase) => ({
    ...phase,
    seconds: Math.max(0, (phase.end ?? end) - phase.start),
  }));
  const total = spans.reduce((sum, { seconds }) => sum + seconds, 0) || 1;
  return spans.map(({ name, start, end: last, seconds }) => {
    const open = last === null && isRunning(run);
    const words = `${PHASES[name] ?? name} ${elapsed(seconds)}${open ? ' so far' : ''}`;
    return { name, words, start, open, share: Math.max(LEAST_SHARE, seconds / total) };
  });
}
