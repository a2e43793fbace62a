// What an incident says.

import type { Effect, Incident, Severity } from '../../api/types';
import { counted, type Tone } from '../../api/words';

const SAID: Record<Severity, { words: string; tone: Tone }> = {
  problem: { words: 'Problem', tone: 'bad' },
  warning: { words: 'Warning', tone: 'warning' },
  note: { words: 'Note', tone: 'quiet' },
};
const ORDER: Severity[] = ['problem', 'warning', 'note'];

// A newer server may send severities unknown here; show its own word.
export const severitySaid = (severity: Severity): { words: string; tone: Tone } =>
  (Object.hasOwn(SAID, severity) && SAID[severity]) || { words: String(severity), tone: 'quiet' };

// 'since step 108 (optimizer step 54, epoch 2) · 3 tensors · 27 findings · high confidence'.
export function extent({ since, tensors, findings, confidence }: Incident): string {
  const parts = [`since ${since}`];
  if (tensors > 1) parts.push(counted(tensors, 'tensor'));
  if (findings > 1) parts.push(counted(findings, 'finding'));
  if (confidence) parts.push(`${confidence} confidence`);
  return parts.join(' · ');
}

// What followed from the cause: 'LossSpike since step 12, 3 tensors'.
export function effectWords({ rule, since, tensors, findings }: Effect): string {
  const count =
    tensors > 1 ? counted(tensors, 'tensor') : findings > 1 ? counted(findings, 'finding') : '';
  return count ? `${rule} since ${since}, ${count}` : `${rule} since ${since}`;
}

// 'How it spread: decoder.3 (step 51) → decoder.4'; what followed comes below it.
export const spreadWords = ({ spread = [] }: Incident): string =>
  ['How it spread:', spread.join(' → ')].join(' ').trim();

// 'At the same time: GPU 0 slowed down (heat); host memory 97 % full'; '' if nothing was remarkable.
export const machineWords = ({ machine = [] }: Incident): string =>
  machine.length === 0 ? '' : `At the same time: ${machine.map(({ text }) => text).join('; ')}`;

// '2 problems, 1 warning'; '' if there are none.
export function severityCounts(incidents: readonly Incident[]): string {
  return ORDER.map((severity) => {
    const count = incidents.filter((incident) => incident.severity === severity).length;
    return count > 0 ? counted(count, severity) : '';
  })
    .filter((words) => words !== '')
    .join(', ');
}
