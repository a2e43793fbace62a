// The run at a glance: progress, findings, losses, rules.

import './panel.css';
import { below } from '../../api/client';
import type { LiveEvent, RunDetail, TensorList } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { Latest } from '../common/latest';
import { rangeParam } from '../common/params';
import type { RunContext, RunPanel, View } from '../panel';
import { About } from './about';
import { Charts } from './charts';
import { Findings } from './findings';
import { RulesTable } from './rules_table';
import { Summary } from './summary';

const SERIES_MS = 1500; // Minimum time between redraws of live charts, ...
const LIST_MS = 10000; // ... and between reloads of the tensor list.
const READING_MS = 1000; // While the server still reads the run.

type Range = [number, number];

const rangeOf = (params: URLSearchParams): Range | null =>
  rangeParam(params.get('from'), params.get('to'));

class Overview implements View {
  private readonly notices = html('div', { class: 'overview-notices' });
  private readonly summary: Summary;
  private readonly charts: Charts;
  private readonly findings: Findings;
  private readonly rules = new RulesTable();
  private readonly about = new About();
  private noticed = '';
  private listed = false; // The list of tensors is loaded and not empty.
  private readonly question = new Latest();
  private readonly grow = new Paced(() => this.grown(), SERIES_MS);
  private readonly relist = new Paced(() => this.list(), LIST_MS);
  private readonly reading = new Paced(() => this.list(), READING_MS);
  private readonly seen = (): void => this.grow.tell();

  constructor(
    private readonly context: RunContext,
    into: HTMLElement,
  ) {
    const { client, run } = context;
    this.summary = new Summary(run);
    this.findings = new Findings(client, run);
    this.charts = new Charts(client, run.id, rangeOf(context.params), (range) =>
      this.ranged(range),
    );
    const columns = html(
      'div',
      { class: 'overview-columns' },
      this.charts.element,
      this.findings.element,
    );
    into.replaceChildren(
      this.notices,
      this.summary.element,
      columns,
      this.rules.element,
      this.about.element,
    );
    document.addEventListener('visibilitychange', this.seen);
    this.update(run);
  }

  update(run: RunDetail): void {
    this.showNotices(run);
    this.summary.update(run);
    this.findings.update(run);
    this.charts.setFindings(run);
    this.rules.update(run);
    this.about.update(run);
    if (run.has.tensors && !this.listed) this.list();
  }

  live(event: LiveEvent): void {
    if (event.event !== 'steps' && event.event !== 'back') return;
    this.grow.tell();
    if (this.listed) this.relist.tell();
    else this.reading.tell(); // Waiting for the first tensors.
  }

  navigate(params: URLSearchParams): void {
    this.charts.setRange(rangeOf(params));
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.seen);
    this.grow.stop();
    this.relist.stop();
    this.reading.stop();
    this.question.giveUp();
    this.summary.close();
    this.charts.close();
    this.findings.close();
  }

  // Replaces notices only if they changed: one of their links may have the focus.
  private showNotices(run: RunDetail): void {
    const shown = notices(run);
    const words = shown.map(({ textContent }) => textContent).join('\n');
    if (words === this.noticed) return;
    this.noticed = words;
    this.notices.replaceChildren(...shown);
  }

  private list(): void {
    if (!this.context.run.has.tensors) return;
    this.question.askAgain(
      (signal) =>
        this.context.client.get<TensorList>(below(this.context.run.id, 'tensors'), { signal }),
      (list) => {
        this.listed = list.tensors.length > 0;
        this.charts.setTensors(list);
        this.findings.setTensors(list.tensors);
        this.findings.grow();
        if (!list.ingested.done) this.reading.tell();
      },
      () => undefined,
    );
  }

  // Charts of a hidden page are drawn when it becomes visible.
  private grown(): void {
    if (document.hidden) return;
    this.charts.grow();
  }

  private ranged(range: Range | null): void {
    const params = this.context.params;
    params.delete('from');
    params.delete('to');
    if (range) {
      params.set('from', String(Math.round(range[0])));
      params.set('to', String(Math.round(range[1])));
    }
    this.context.setParams(params, true);
  }
}

function notices(run: RunDetail): HTMLElement[] {
  const found: HTMLElement[] = [];
  if (run.status === 'Failed') {
    const words = run.failure || run.message || 'No reason was reported.';
    const logs = html('a', { href: `#/run/${encodeURIComponent(run.id)}/logs` }, 'Show the logs');
    found.push(
      html(
        'div',
        { class: 'notice bad' },
        html('strong', {}, 'Training failed. '),
        words,
        ' ',
        logs,
      ),
    );
  }
  return found;
}

export const panel: RunPanel = {
  id: 'overview',
  title: 'Overview',
  subject: 'overview',
  missing: () => '',
  first: (run) => below(run, 'tensors'),
  open: (context, into) => new Overview(context, into),
};
