// One finding: what, where, the curve of the value, and links.

import type { Finding, RunDetail } from '../../api/types';
import { html } from '../../base/dom';
import { refill } from '../../base/refill';
import type { PlotSeries } from '../../plots/series_points';
import { sparkline } from '../../plots/sparkline';
import { machineAddress, tensorAddress } from '../common/finding_address';
import { statisticWords } from '../common/statistics';
import type { Evidence } from './evidence';
import { cause, where, written } from './finding_words';

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
    refill(
      this.element,
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
