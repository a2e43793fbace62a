// Applies live events to a loaded run, until it is loaded again.

import type { Finding, Incident, RunDetail } from '../api/types';

interface Steps {
  last_step: number;
  steps: number;
}

// Returns the same run if nothing is new.
export function withFinding(run: RunDetail, rule: string, finding: Finding): RunDetail {
  const index = run.rules_seen.findIndex(({ name }) => name === rule);
  const seen = run.rules_seen[index];
  if (!seen) return run; // A rule added later arrives with the next 'run' event.
  const known = seen.findings.some(({ id }) => id === finding.id);
  const findings = known
    ? seen.findings.map((one) => (one.id === finding.id ? finding : one))
    : [...seen.findings, finding];
  const rules = [...run.rules_seen];
  rules[index] = { ...seen, findings };
  return { ...run, rules_seen: rules, findings: run.findings + (known ? 0 : 1) };
}

// Causes and effects, each by the first finding of its rule.
const partsOf = ({ rule, finding, effects }: Incident): string[] =>
  [{ rule, finding }, ...effects].map((part) => `${part.finding} ${part.rule}`);

// Incidents that have begun since. One that has grown, or whose cause is known better, is not new.
export function newIncidents(before: RunDetail, after: RunDetail): Incident[] {
  const known = new Set(before.incidents.flatMap(partsOf));
  return after.incidents.filter((incident) => !partsOf(incident).some((part) => known.has(part)));
}

export function withSteps(run: RunDetail, { last_step, steps }: Steps): RunDetail {
  return {
    ...run,
    last_step,
    progress: { ...run.progress, last_step, steps, last_time: Date.now() / 1000 },
  };
}
