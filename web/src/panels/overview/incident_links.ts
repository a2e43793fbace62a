// The ways from an incident to its evidence: the tensor, the layers, the machine, the log.

import type { Finding, Incident, RuleView, RunDetail } from '../../api/types';
import { machineAddress, tensorAddress } from '../common/finding_address';

export interface Link {
  words: string;
  address: string;
}

// The first finding of the incident's cause, and its rule.
export function causeOf(
  run: RunDetail,
  incident: Incident,
): { rule: RuleView; finding: Finding } | null {
  const rule = run.rules_seen.find(({ name }) => name === incident.rule);
  const finding = rule?.findings.find(({ id }) => id === incident.finding);
  return rule && finding ? { rule, finding } : null;
}

const addressOf = (run: RunDetail, panel: string, params: Record<string, string>): string =>
  `#/run/${encodeURIComponent(run.id)}/${panel}?${new URLSearchParams(params)}`;

// time: when it happened, in seconds since 1970; null: unknown.
export function incidentLinks(run: RunDetail, incident: Incident, time: number | null): Link[] {
  const cause = causeOf(run, incident);
  if (!cause) return [];
  const { rule, finding } = cause;
  const links: Link[] = [];
  const add = (words: string, address: string): void => {
    links.push({ words, address });
  };
  if (finding.step >= 0 && run.has.tensors && rule.kind === 'debug') {
    if (finding.tensor) add(`Tensor at step ${finding.step}`, tensorAddress(run, finding));
    if (incident.tensors > 1 || incident.effects.some(({ tensors }) => tensors > 1))
      add('All layers', addressOf(run, 'layers', { step: String(finding.step) }));
  }
  if (time === null) return links;
  const at = { at: String(time) };
  if (run.has.metrics)
    add(
      'Machine at that time',
      machineAddress(run, time, rule.kind === 'profiler' ? finding.worker : ''),
    );
  if (run.has.timeline) add('Timeline at that time', addressOf(run, 'timeline', at));
  if (run.has.logs) add('Log at that time', addressOf(run, 'logs', at));
  return links;
}
