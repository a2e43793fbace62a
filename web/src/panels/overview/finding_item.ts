// One finding: what, where, the curve of the value, and links.

import type { Finding, JsonNumber, RunDetail } from '../../api/types';
import { html } from '../../base/dom';
import { figure, utc } from '../../base/format';
import type { PlotSeries } from '../../plots/series_paths';
import { sparkline } from '../../plots/sparkline';
import { statisticWords } from '../common/statistics';
import type { Evidence } from './evidence';

const written = (value: JsonNumber): string => (typeof value === 'number' ? figure(value) : value);

function where(finding: Finding): string {
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
  if (finding.mode !== 'GLOBAL') parts.push(finding.mode);
  if (finding.worker) parts.push(finding.worker);
  if (finding.step < 0 && finding.time) parts.push(utc(finding.time));
  return parts.join(' · ');
}

// The message without the tensor and the step, which are shown above it.
function cause({ message, tensor, step }: Finding): string {
  const words =
    tensor && message.startsWith(`${tensor}: `) ? message.slice(tensor.length + 2) : message;
  return words.replace(new RegExp(` at step ${step}( \\([A-Z]+\\))?$`), '');
}

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

export interface FindingFacts {
  run: RunDetail;
  isProfiler: boolean;
  finding: Finding;
  evidence: Evidence | null;
  time: number | null;
}

export class FindingItem {
  readonly element = html('li', { class: 'overview-finding' });
  private readonly place = html('div', { class: 'overview-evidence' });
  private shown = '';

  update(facts: FindingFacts): void {
    const { finding, evidence, time } = facts;
    const key = JSON.stringify([finding, evidence, time, facts.run.has]);
    if (key === this.shown) return;
    this.shown = key;
    this.place.hidden = evidence === null;
    const head = html('p', { class: 'overview-where' });
    if (finding.tensor) head.append(html('code', {}, finding.tensor));
    head.append(html('span', { class: 'quiet' }, where(finding)));
    this.element.replaceChildren(
      head,
      html('p', { class: 'overview-message' }, cause(finding)),
      this.place,
      this.links(facts),
    );
  }

  draw(evidence: Evidence, series: PlotSeries | null, finding: Finding): void {
    this.place.hidden = series === null;
    if (!series) return;
    const picture = html('div', { class: 'overview-spark' });
    const words = statisticWords(evidence.statistic);
    const options = { label: `${words} of ${evidence.tensor}`, mark: evidence.step };
    sparkline(
      picture,
      series,
      evidence.threshold === undefined ? options : { ...options, threshold: evidence.threshold },
    );
    const values = `${written(finding.value)}, threshold ${written(finding.threshold)}`;
    const note = evidence.threshold === undefined ? words : `${words}; ${values}`;
    this.place.replaceChildren(picture, html('span', { class: 'quiet overview-note' }, note));
  }

  private links({ run, finding, evidence, time, isProfiler }: FindingFacts): HTMLElement {
    const links = html('p', { class: 'overview-links' });
    const add = (address: string, words: string): void => {
      links.append(html('a', { href: address }, words));
    };
    if (evidence)
      add(tensorAddress(run, finding, evidence.statistic), `Tensor at step ${finding.step}`);
    if (time !== null && run.has.metrics) {
      add(
        machineAddress(run, time, isProfiler ? finding.worker : ''),
        'System metrics at that time',
      );
    }
    links.hidden = links.childElementCount === 0;
    return links;
  }
}
