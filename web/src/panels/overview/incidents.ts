// What is wrong with the run: one entry per cause, worst first. The server decides which findings
// belong together.

import type { Incident, RunDetail } from '../../api/types';
import { html } from '../../base/dom';
import { refill } from '../../base/refill';
import { causeOf, incidentLinks, type Link } from './incident_links';
import { effectWords, extent, machineWords, severitySaid, spreadWords } from './incident_words';
import type { StepTimes } from '../common/step_times';

const MOST_EFFECTS = 8;

function spread(incident: Incident): HTMLElement[] {
  const { effects } = incident;
  const words = html('p', { class: 'overview-spread' }, spreadWords(incident));
  if (effects.length === 0) return incident.spread ? [words] : [];
  const items = effects.slice(0, MOST_EFFECTS).map((effect) => html('li', {}, effectWords(effect)));
  const left = effects.length - items.length;
  if (left > 0) items.push(html('li', {}, `${left} more`));
  return [words, html('ol', { class: 'overview-effects' }, ...items)];
}

function entry(incident: Incident, links: readonly Link[]): HTMLElement {
  const { words, tone } = severitySaid(incident.severity);
  const parts: HTMLElement[] = [
    html(
      'div',
      { class: 'overview-incident-head' },
      html('span', { class: `badge ${tone}` }, words),
      html('h3', {}, incident.rule),
      html('span', { class: 'quiet' }, extent(incident)),
    ),
    html('p', { class: 'overview-headline' }, incident.headline),
  ];
  if (incident.doc) parts.push(html('p', { class: 'quiet overview-doc' }, incident.doc));
  parts.push(...spread(incident));
  const machine = machineWords(incident);
  if (machine) parts.push(html('p', { class: 'overview-machine' }, machine));
  if (incident.advice)
    parts.push(
      html('p', { class: 'overview-advice' }, html('strong', {}, 'What to try: '), incident.advice),
    );
  if (links.length > 0)
    parts.push(
      html(
        'p',
        { class: 'overview-links' },
        ...links.map((link) => html('a', { href: link.address }, link.words)),
      ),
    );
  return html('li', { class: 'overview-incident', 'data-tone': tone }, ...parts);
}

export class IncidentList {
  readonly element = html('ol', { class: 'overview-list', 'aria-label': 'Incidents' });
  private shown = '';

  constructor(private readonly times: StepTimes) {}

  update(run: RunDetail): void {
    const linked = run.incidents.map((incident) => ({
      incident,
      links: incidentLinks(run, incident, this.timeOf(run, incident)),
    }));
    const key = JSON.stringify(linked);
    if (key === this.shown) return; // Keeps the reader's text selection.
    this.shown = key;
    this.element.hidden = linked.length === 0;
    refill(this.element, ...linked.map(({ incident, links }) => entry(incident, links)));
  }

  private timeOf(run: RunDetail, incident: Incident): number | null {
    const finding = causeOf(run, incident)?.finding;
    if (!finding) return null;
    return finding.time ?? (finding.step >= 0 ? this.times.of(finding.step) : null);
  }
}
