// Where the links of a finding lead.

import type { Finding, RunDetail } from '../../api/types';

export function tensorAddress(run: RunDetail, finding: Finding, statistic?: string): string {
  const params = new URLSearchParams({
    tensor: finding.tensor,
    step: String(finding.step),
    mode: 'GLOBAL',
  });
  if (finding.worker) params.set('worker', finding.worker);
  if (statistic) params.set('statistic', statistic);
  return `#/run/${encodeURIComponent(run.id)}/tensors?${params}`;
}

export function machineAddress(run: RunDetail, time: number, node: string): string {
  const params = new URLSearchParams({ at: String(time) });
  if (node) params.set('node', node);
  return `#/run/${encodeURIComponent(run.id)}/system?${params}`;
}
