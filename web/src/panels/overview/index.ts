// The run at a glance: what is wrong, progress, losses, rules.

import './panel.css';
import { below } from '../../api/client';
import type { LiveEvent, RunDetail, TensorList } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { readLook, writeLook } from '../common/chart_look';
import { Latest } from '../common/latest';
import { rangeParam, textsParam, writeTexts } from '../common/params';
import { plainLine } from '../../base/plain_line';
import { writeRange } from '../common/series';
import { ended } from '../common/states';
import type { RunContext, RunPanel, View } from '../panel';
import { About } from './about';
import { readPins, writePins } from './arrangement';
import { Charts, type ChartsView } from './charts';
import { Findings } from './findings';
import { MadeWith } from './made_with';
import { RulesTable } from './rules_table';
import { SavedParameters } from './saved_parameters';
import { StepTimes } from '../common/step_times';
import { Summary } from './summary';
import { VerdictBox } from './verdict_box';

const SERIES_MS = 1500; // Minimum time between redraws of live charts, ...
const LIST_MS = 10000; // ... and between reloads of the tensor list.
const READING_MS = 1000; // While the server still reads the run.

type Range = [number, number];

const viewOf = (params: URLSearchParams): ChartsView => ({
  look: readLook(params),
  range: rangeParam(params.get('from'), params.get('to')),
  pinned: readPins(params),
  full: params.get('chart') ?? '',
  hidden: textsParam(params, 'hide'),
});

class Overview implements View {
  private readonly notices = html('div', { class: 'overview-notices' });
  private readonly summary: Summary;
  private readonly charts: Charts;
  private readonly findings: Findings;
  private readonly verdict: VerdictBox;
  private readonly times: StepTimes;
  private readonly rules = new RulesTable();
  private readonly about = new About();
  private readonly made: MadeWith;
  private readonly parameters: SavedParameters;
  private run: RunDetail;
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
    this.run = run;
    this.made = new MadeWith(client, run.id);
    this.times = new StepTimes(client, run.id, () => this.timed());
    this.parameters = new SavedParameters(client, run.id, (saved) => this.about.setSaved(saved));
    this.findings = new Findings(client, run, this.times);
    this.verdict = new VerdictBox(this.times, this.findings.element);
    this.showFindings(context.params);
    this.findings.element.addEventListener('toggle', () => this.findingsToggled());
    this.charts = new Charts(client, run, this.times, viewOf(context.params), {
      ranged: (range) => this.ranged(range),
      looked: (look, step) => this.write((params) => writeLook(look, params), step),
      pinned: (pinned) => this.write((params) => writePins(pinned, params), false),
      full: (chart) =>
        this.write((params) => {
          if (chart === '') params.delete('chart');
          else params.set('chart', chart);
        }, chart !== ''),
      hidden: (names) => this.write((params) => writeTexts(params, 'hide', names), false),
      announce: context.announce,
    });
    into.replaceChildren(
      this.notices,
      this.verdict.element,
      this.summary.element,
      this.charts.element,
      this.rules.element,
      this.about.element,
      ...(run.kind === 'folder' ? [this.made.element] : []),
    );
    document.addEventListener('visibilitychange', this.seen);
    this.update(run);
  }

  update(run: RunDetail): void {
    this.run = run;
    this.showNotices(run);
    this.summary.update(run);
    this.verdict.update(run);
    this.findings.update(run);
    this.charts.setRun(run);
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
    this.charts.setView(viewOf(params));
    this.showFindings(params);
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
    this.times.close();
    this.parameters.close();
    this.made.close();
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
        this.parameters.setTensors(list.tensors);
        this.times.grow();
        this.findings.setTensors(list.tensors);
        this.findings.grow();
        this.timed();
        if (!list.ingested.done) this.reading.tell();
      },
      () => undefined,
    );
  }

  // The times of steps have come: links and marks that need them appear.
  private timed(): void {
    this.findings.draw();
    this.verdict.update(this.run);
    this.charts.mark();
  }

  // Charts of a hidden page are drawn when it becomes visible.
  private grown(): void {
    if (document.hidden) return;
    this.charts.grow();
  }

  private ranged(range: Range | null): void {
    this.write((params) => {
      params.delete('from');
      params.delete('to');
      writeRange(params, range);
    }, true);
  }

  // Whether all findings are listed is part of the view, too.
  private showFindings(params: URLSearchParams): void {
    this.findings.element.open = params.get('findings') === 'all';
  }

  private findingsToggled(): void {
    const { open } = this.findings.element;
    if (open === (this.context.params.get('findings') === 'all')) return;
    this.write((params) => {
      if (open) params.set('findings', 'all');
      else params.delete('findings');
    }, false);
  }

  private write(change: (params: URLSearchParams) => void, step: boolean): void {
    const { params } = this.context; // A copy.
    change(params);
    this.context.setParams(params, step);
  }
}

function notices(run: RunDetail): HTMLElement[] {
  if (run.status !== 'Failed') return [];
  const words = run.failure || run.message || 'No reason was reported.';
  const notice = html(
    'div',
    { class: 'notice bad' },
    html('strong', {}, 'Training failed: '),
    ended(words),
    ' ',
  );
  if (run.has.logs)
    notice.append(
      html('a', { href: `#/run/${encodeURIComponent(run.id)}/logs` }, 'Show the whole log'),
    );
  if (run.failure_output)
    notice.append(
      html(
        'pre',
        { class: 'overview-traceback', tabindex: 0, role: 'group', 'aria-label': 'Last output' },
        readable(run.failure_output),
      ),
    );
  return [notice];
}

// Without what colors a terminal.
const readable = (output: string): string => output.split('\n').map(plainLine).join('\n').trimEnd();

export const panel: RunPanel = {
  id: 'overview',
  title: 'Overview',
  subject: 'overview',
  missing: () => '',
  first: (run) => below(run, 'tensors'),
  open: (context, into) => new Overview(context, into),
};
