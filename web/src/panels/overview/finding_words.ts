// What a finding says.

import type { Finding, JsonNumber } from '../../api/types';
import { figure, utc } from '../../base/format';

export const written = (value: JsonNumber): string =>
  typeof value === 'number' ? figure(value) : value;

// How the training script counts the first step, where that says more: 'optimizer step 54, epoch 2'.
export function scriptCount({ step, optimizer_step: optimizer, epoch }: Finding): string {
  // Without accumulation both counts say the same; the script's may start at 1.
  const differs = optimizer !== undefined && optimizer !== step && optimizer !== step + 1;
  const parts = differs ? [`optimizer step ${optimizer}`] : [];
  if (epoch !== undefined && (differs || epoch > 1)) parts.push(`epoch ${epoch}`);
  return parts.join(', ');
}

// When and where: 'steps 3–9 (4 times) · TRAIN · worker_1'.
export function where(finding: Finding): string {
  const parts: string[] = [];
  if (finding.step >= 0) {
    const range =
      finding.last_step > finding.step
        ? `steps ${finding.step}–${finding.last_step}`
        : `step ${finding.step}`;
    parts.push(
      finding.count > 1 && finding.last_step > finding.step
        ? `${range} (${finding.count} times)`
        : range,
    );
  } else if (finding.count > 1) {
    parts.push(`${finding.count} times`);
  }
  const count = finding.step >= 0 ? scriptCount(finding) : '';
  if (count) parts.push(`since ${count}`);
  if (finding.mode !== 'GLOBAL') parts.push(finding.mode);
  if (finding.worker) parts.push(finding.worker);
  if (finding.step < 0 && finding.time) parts.push(utc(finding.time));
  return parts.join(' · ');
}

// The message without the tensor and the step, which are shown above it.
export function cause({ message, tensor, step }: Finding): string {
  const words =
    tensor && message.startsWith(`${tensor}: `) ? message.slice(tensor.length + 2) : message;
  return words.replace(new RegExp(` at step ${step}( \\([A-Z]+\\))?$`), '');
}
