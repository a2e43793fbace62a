// The first thing on the page: the verdict, one entry per cause, worst first, then what is fine, and
// in grey what had no data and what does not apply.

import type { RuleView, RunDetail } from '../../api/types';
import { counted } from '../../api/words';
import { html } from '../../base/dom';
import { IncidentList } from './incidents';
import { unsentWords, whyNotEvaluated } from './rule_words';
import type { StepTimes } from '../common/step_times';
import { groupRules, verdictOf } from './verdict';

// Rules that have no result, behind one line.
class Silent {
  readonly element: HTMLDetailsElement;
  private readonly count = html('summary');
  private readonly list: HTMLElement;

  constructor(
    private readonly words: (count: string) => string,
    label: string,
  ) {
    this.list = html('ul', { 'aria-label': label });
    this.element = html('details', { class: 'quiet overview-silent' }, this.count, this.list);
  }

  set(rules: readonly RuleView[]): void {
    this.element.hidden = rules.length === 0;
    this.count.textContent = this.words(counted(rules.length, 'rule'));
    this.list.replaceChildren(
      ...rules.map((rule) =>
        html(
          'li',
          {},
          html('span', { class: 'overview-rule' }, rule.name),
          ` ${whyNotEvaluated(rule)}`,
        ),
      ),
    );
  }
}

export class VerdictBox {
  readonly element: HTMLElement;
  private readonly title = html('h2');
  private readonly more = html('span', { class: 'quiet' });
  private readonly incidents: IncidentList;
  private readonly fine = html('p', { class: 'overview-fine' });
  private readonly failed = new Silent((count) => `${count} failed`, 'Rules that failed');
  private readonly blind = new Silent(
    (count) => `${count} had no data to check`,
    'Rules without data',
  );
  private readonly inapplicable = new Silent(
    (count) => `${count} not applicable to this run`,
    'Rules that do not apply',
  );
  private readonly unsent = html('div', { class: 'notice warning', hidden: '' });
  private shown = '';

  // findings: every single one, behind a disclosure.
  constructor(times: StepTimes, findings: HTMLElement) {
    this.incidents = new IncidentList(times);
    this.element = html(
      'section',
      { class: 'card overview-verdict', 'aria-label': 'Verdict' },
      html('div', { class: 'overview-verdict-head' }, this.title, this.more),
      this.unsent,
      this.incidents.element,
      findings,
      this.fine,
      this.failed.element,
      this.blind.element,
      this.inapplicable.element,
    );
  }

  update(run: RunDetail): void {
    this.incidents.update(run);
    const verdict = verdictOf(run);
    const groups = groupRules(run.rules_seen);
    const { fine, failed, blind, inapplicable } = groups;
    const names = fine.map(({ name }) => name).join(', ');
    const silent = [failed, blind, inapplicable];
    const unsent = unsentWords(run.rules_seen);
    const key = JSON.stringify([
      verdict,
      unsent,
      names,
      silent.map((rules) => rules.map(({ name, reason, notes }) => [name, reason, notes])),
    ]);
    if (key === this.shown) return; // Keeps the reader's text selection.
    this.shown = key;
    this.element.dataset['tone'] = verdict.tone;
    this.title.textContent = verdict.words;
    this.more.textContent = verdict.more;
    this.unsent.hidden = unsent.length === 0;
    this.unsent.replaceChildren(...unsent.map((words) => html('p', {}, words)));
    this.fine.hidden = fine.length === 0;
    this.fine.replaceChildren(html('strong', {}, '✓ No problems: '), names);
    this.failed.set(failed);
    this.blind.set(blind);
    this.inapplicable.set(inapplicable);
  }
}
