// All findings, grouped by rule, behind a disclosure. New findings appear right below the first of
// their rule.

import type { Client } from '../../api/client';
import type { Finding, RuleView, RunDetail, TensorInfo } from '../../api/types';
import { counted } from '../../api/words';
import { html } from '../../base/dom';
import type { PlotSeries } from '../../plots/series_points';
import { askEvidence, type Evidence, evidenceOf } from './evidence';
import { type FindingFacts, FindingItem } from './finding_item';
import { rulesWithFindings, shownFindings } from './findings_order';
import type { StepTimes } from '../common/step_times';

const FIRST_SHOWN = 3;
const MOST_SHOWN = 200;

const keyOf = ({ tensor, statistic, worker }: Evidence): string =>
  JSON.stringify([tensor, statistic, worker]);

class Group {
  readonly element: HTMLElement;
  readonly items = new Map<number, FindingItem>();
  private readonly count = html('span', { class: 'badge warning' });
  private readonly list = html('ol', { class: 'overview-list' });
  private readonly advice = html('p', { class: 'overview-advice' });
  private readonly more = html('button', { type: 'button', class: 'button small' });
  private all = false;

  constructor(rule: RuleView, redraw: () => void) {
    const doc = html('p', { class: 'quiet overview-doc' }, rule.doc);
    doc.hidden = rule.doc === '';
    const head = html('div', { class: 'row' }, html('h3', {}, rule.name), this.count);
    this.element = html(
      'article',
      { class: 'overview-group' },
      head,
      doc,
      this.list,
      this.more,
      this.advice,
    );
    this.more.addEventListener('click', () => {
      this.all = !this.all;
      redraw();
    });
  }

  shown(rule: RuleView): Finding[] {
    return shownFindings(rule, this.all ? MOST_SHOWN : FIRST_SHOWN);
  }

  draw(
    rule: RuleView,
    shown: Finding[],
    facts: (finding: Finding) => FindingFacts,
    first: boolean,
  ): void {
    this.count.textContent = counted(rule.findings.length, 'finding');
    const wanted = shown.map((finding) => {
      const known = this.items.get(finding.id);
      const item = known ?? new FindingItem();
      if (!known && !first) item.element.classList.add('new');
      item.update(facts(finding));
      return [finding.id, item] as const;
    });
    this.items.clear();
    for (const [id, item] of wanted) this.items.set(id, item);
    const elements = wanted.map(([, item]) => item.element);
    if (
      elements.some((element, i) => this.list.children[i] !== element) ||
      this.list.childElementCount !== elements.length
    ) {
      this.list.replaceChildren(...elements);
    }
    const hidden = rule.findings.length - shown.length;
    this.more.hidden = rule.findings.length <= FIRST_SHOWN;
    this.more.textContent = this.all ? 'Show fewer' : `Show ${hidden.toLocaleString('en')} more`;
    const advice = shown[0]?.advice ?? '';
    this.advice.hidden = advice === '';
    this.advice.replaceChildren(html('strong', {}, 'What to try: '), advice);
  }
}

export class Findings {
  readonly element: HTMLDetailsElement;
  private readonly count = html('span', { class: 'quiet' });
  private readonly list = html('div', { class: 'overview-groups' });
  private readonly groups = new Map<string, Group>();
  private readonly series = new Map<string, PlotSeries | null>();
  private readonly leaving = new AbortController();
  private tensors = new Map<string, TensorInfo>();
  private asking = false;
  private first = true;

  constructor(
    private readonly client: Client,
    private run: RunDetail,
    private readonly times: StepTimes,
  ) {
    this.element = html(
      'details',
      { class: 'overview-findings' },
      html('summary', {}, 'All findings ', this.count),
      this.list,
    );
    this.element.addEventListener('toggle', () => this.ask(false));
  }

  update(run: RunDetail): void {
    const same = run.rules_seen === this.run.rules_seen && !this.first;
    this.run = run;
    if (!same) this.draw(); // New steps arrive every second and change nothing here.
  }

  setTensors(tensors: readonly TensorInfo[]): void {
    this.tensors = new Map(tensors.map((info) => [info.name, info]));
    this.draw();
  }

  // New steps: reloads the curves. The old ones stay until the new ones arrive.
  grow(): void {
    this.draw();
    if (this.series.size > 0) this.ask(true);
  }

  close(): void {
    this.leaving.abort();
  }

  draw(): void {
    const rules = rulesWithFindings(this.run.rules_seen);
    const total = rules.reduce((sum, { findings }) => sum + findings.length, 0);
    this.count.textContent =
      total > 0 ? `${counted(total, 'finding')} from ${counted(rules.length, 'rule')}` : '';
    this.element.hidden = total === 0;
    for (const rule of rules) this.drawGroup(rule);
    this.first = false;
    this.ask(false);
  }

  private drawGroup(rule: RuleView): void {
    let group = this.groups.get(rule.name);
    if (!group) {
      group = new Group(rule, () => this.draw());
      this.groups.set(rule.name, group);
      this.list.append(group.element);
    }
    group.draw(rule, group.shown(rule), (finding) => this.facts(rule, finding), this.first);
  }

  private facts(rule: RuleView, finding: Finding): FindingFacts {
    const evidence = rule.kind === 'debug' ? evidenceOf(rule.rule, finding, this.tensors) : null;
    let time = finding.time ?? null;
    if (time === null && finding.step >= 0 && this.run.has.metrics)
      time = this.times.of(finding.step);
    return { run: this.run, isProfiler: rule.kind === 'profiler', finding, evidence, time };
  }

  private *shown(): Generator<{ item: FindingItem; finding: Finding; evidence: Evidence }> {
    for (const rule of this.run.rules_seen) {
      const group = this.groups.get(rule.name);
      for (const finding of group?.shown(rule) ?? []) {
        const item = group?.items.get(finding.id);
        const { evidence } = this.facts(rule, finding);
        if (item && evidence) yield { item, finding, evidence };
      }
    }
  }

  private ask(again: boolean): void {
    if (!this.element.open) return; // Nobody sees the curves.
    this.paint();
    const wanted = new Map([...this.shown()].map(({ evidence }) => [keyOf(evidence), evidence]));
    if (!again) for (const key of this.series.keys()) wanted.delete(key);
    if (wanted.size === 0 || this.asking) return;
    this.asking = true;
    const list = [...wanted.values()];
    void askEvidence(this.client, this.run, list, this.leaving.signal).then((series) => {
      this.asking = false;
      if (this.leaving.signal.aborted) return;
      list.forEach((evidence, i) => this.series.set(keyOf(evidence), series[i] ?? null));
      this.ask(false); // For findings that arrived in between.
    });
  }

  private paint(): void {
    for (const { item, finding, evidence } of this.shown()) {
      const series = this.series.get(keyOf(evidence));
      if (series !== undefined) item.draw(evidence, series, finding);
    }
  }
}
