// The compare panel and page: choice of runs, what differs between them, all metrics of all runs, one
// tensor of all runs in a plot, and two runs tensor by tensor.

import { below, type Client } from '../../api/client';
import { Repeated } from '../../api/repeated';
import type {
  LiveEvent,
  RunDetail,
  RunFacts,
  RunList,
  RunSummary,
  TensorList,
} from '../../api/types';
import { isRunning } from '../../api/words';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { writeRuns } from '../common/compare_address';
import { Latest } from '../common/latest';
import { shownName } from '../common/run_names';
import { empty, loading, refused } from '../common/states';
import type { PanelContext, View } from '../panel';
import { Charts } from './charts';
import { Differences } from './differences';
import { factsTable, findingsOf } from './facts';
import { MetricGrid } from './grid';
import { mergedList } from './grid_metrics';
import { Overlay } from './overlay';
import { PlotFields } from './plot_fields';
import { RunsBar } from './runs_bar';
import { letter, readState, type State, writeState } from './state';

const READING_MS = 700; // Between questions while the server still reads a run.
const GROWS = 5000; // Milliseconds between two polls for new data.

// runs: those that are not in the URL.
export function openCompare(context: PanelContext, runs: string[], into: HTMLElement): View {
  const { params } = context;
  if (!params.has(letter(0))) writeRuns(params, runs);
  return new CompareView(context, into, null, params);
}

export class CompareView implements View {
  private state: State;
  private known: readonly RunSummary[] = [];
  private readonly details = new Map<string, RunDetail>();
  private readonly recorded = new Map<string, RunFacts>();
  private readonly lists = new Map<string, TensorList>();
  private tensors: TensorList | null = null; // Of all runs.
  private readonly bar: RunsBar;
  private readonly charts: Charts;
  private readonly overlay: Overlay;
  private readonly fields: PlotFields;
  private readonly differences: Differences;
  private readonly grid: MetricGrid;
  private readonly facts = html('div');
  private readonly findings = html('div');
  private readonly equal = html('input', { type: 'checkbox' });
  private readonly body = html('div', { class: 'compare-body' });
  private readonly trouble = html('div');
  private readonly list: Repeated<RunList>;
  private readonly askRuns = new Latest();
  private readonly askDetails = new Latest();
  private readonly askTensors = new Latest();
  private readonly askFacts = new Latest();
  private readonly grownSoon = new Paced(() => this.grown(), GROWS);
  private readonly readSoon = new Paced(() => this.reread(), READING_MS);
  private readonly ticker: number | undefined;
  private detailsOf = '';
  private withEqual = false; // Whether facts are shown that do not differ.

  constructor(
    private readonly context: PanelContext,
    into: HTMLElement,
    private readonly base: string | null, // The run whose panel this is.
    params = context.params,
  ) {
    this.list = new Repeated(context.client, 'runs');
    this.state = readState(params, base);
    const change = (part: Partial<State>, step = true): void => this.change(part, step);
    this.bar = new RunsBar(base !== null, {
      choose: (runs) =>
        change({ runs, against: Math.max(1, Math.min(this.state.against, runs.length - 1)) }),
      hide: (hidden) => change({ hidden }, false),
    });
    this.charts = new Charts(context.client, change);
    this.overlay = new Overlay(this.charts);
    this.fields = new PlotFields(change);
    this.differences = new Differences(context.client, change);
    this.grid = new MetricGrid(this.charts, change);
    this.equal.addEventListener('change', () => change({ equal: this.equal.checked }));
    const heading = base === null ? [html('h1', { class: 'compare-heading' }, 'Compare runs')] : [];
    into.append(...heading, this.bar.element, this.trouble, this.body);
    this.body.append(loading());
    this.load();
    // Events only cover the panel's own run. Without one, running runs are polled.
    if (base === null) this.ticker = window.setInterval(() => this.look(), GROWS);
  }

  navigate(params: URLSearchParams): void {
    this.state = readState(params, this.base);
    this.show();
  }

  live(event: LiveEvent): void {
    if (event.event === 'steps' || event.event === 'back') this.grownSoon.tell();
    if (event.event !== 'runs' && event.event !== 'hello') return;
    this.load();
    this.grownSoon.tell();
  }

  close(): void {
    const all = [this.askRuns, this.askDetails, this.askTensors, this.askFacts];
    for (const asked of all) asked.giveUp();
    this.grownSoon.stop();
    this.readSoon.stop();
    clearInterval(this.ticker);
    this.charts.close();
    this.differences.close();
  }

  private change(change: Partial<State>, step: boolean): void {
    this.state = { ...this.state, ...change };
    this.context.setParams(writeState(this.state, this.base), step);
    this.show();
  }

  private get client(): Client {
    return this.context.client;
  }

  private load(): void {
    this.askRuns.askAgain(
      (signal) => this.list.ask({ signal }),
      (list) => {
        this.trouble.replaceChildren();
        if (!list) return;
        this.known = list.runs;
        this.show();
      },
      (error) => this.trouble.replaceChildren(refused(error, () => this.load())),
    );
  }

  // Loads the runs, with findings and hyperparameters, what was recorded of them, and their tensors.
  private loadOnce(): void {
    const ids = this.state.runs;
    if (JSON.stringify(ids) === this.detailsOf) return;
    this.detailsOf = JSON.stringify(ids);
    this.merge();
    this.loadDetails(ids);
    this.loadFacts(ids.filter((id) => !this.recorded.has(id)));
    this.loadTensors(ids.filter((id) => !this.lists.has(id)));
  }

  // Nothing of it changes later.
  private loadFacts(ids: readonly string[]): void {
    this.askFacts.ask(
      async (signal) => ({
        ok: true,
        value: await Promise.all(
          ids.map((id) => this.client.get<RunFacts>(below(id, 'facts'), { signal })),
        ),
      }),
      (answers) => {
        answers.forEach((answer, i) => {
          if (answer.ok) this.recorded.set(ids[i] ?? '', answer.value);
        });
        this.showFacts();
      },
      () => undefined, // Without them the table is shorter.
    );
  }

  private loadDetails(ids: readonly string[]): void {
    this.askDetails.ask(
      async (signal) => ({
        ok: true,
        value: await Promise.all(
          ids.map((id) => this.client.get<RunDetail>(below(id), { signal })),
        ),
      }),
      (answers) => {
        // Keeps what is known of a run that cannot be loaded again.
        for (const answer of answers)
          if (answer.ok) this.details.set(answer.value.id, answer.value);
        this.charts.learn(this.details, this.lists);
        const wrong = answers.flatMap((answer, i) =>
          answer.ok || this.details.has(ids[i] ?? '')
            ? []
            : [`${ids[i] ?? ''}: ${answer.error.message}`],
        );
        this.trouble.replaceChildren(
          ...(wrong.length > 0 ? [refused({ status: 0, message: wrong.join('; ') })] : []),
        );
        this.showFacts();
      },
      () => undefined,
    );
  }

  private loadTensors(ids: readonly string[]): void {
    this.askTensors.ask(
      async (signal) => ({
        ok: true,
        value: await Promise.all(
          ids.map((id) => this.client.get<TensorList>(below(id, 'tensors'), { signal })),
        ),
      }),
      (answers) => {
        answers.forEach((answer, i) => {
          if (answer.ok) this.lists.set(ids[i] ?? '', answer.value);
          else if (!this.tensors) this.trouble.replaceChildren(refused(answer.error));
        });
        this.merge();
        this.show();
        if (ids.some((id) => this.lists.get(id)?.ingested.done === false)) this.readSoon.tell();
      },
      () => undefined,
    );
  }

  private merge(): void {
    this.tensors = mergedList(this.state.runs.flatMap((id) => this.lists.get(id) ?? []));
  }

  // Lists that the server had not read to their end.
  private reread(): void {
    const unread = this.state.runs.filter((id) => this.lists.get(id)?.ingested.done === false);
    if (unread.length > 0 && !this.askTensors.waiting) this.loadTensors(unread);
  }

  private nameOf(id: string): string {
    const run = this.known.find((one) => one.id === id);
    return run ? shownName(run) : id;
  }

  private show(): void {
    this.bar.show(this.state, this.known);
    if (this.state.runs.length < 2) {
      const others = this.known.filter(({ id }) => !this.state.runs.includes(id)).length;
      const none =
        this.state.runs.length > 0 ? 'There are no other runs yet.' : 'There are no runs yet.';
      const how = others > 0 ? 'Add a run above, or select several in the list of runs.' : none;
      this.body.replaceChildren(empty('Choose two or more runs to compare', how));
      return;
    }
    if (!this.body.contains(this.overlay.element)) this.build();
    this.loadOnce();
    const tensor = this.fields.show(this.state, this.tensors);
    const runs = this.state.runs.map((id) => ({ id, name: this.nameOf(id) }));
    this.charts.show(this.state, runs, this.tensors);
    this.charts.learn(this.details, this.lists);
    this.grid.show(this.state, this.tensors);
    this.overlay.show(this.state, runs, tensor);
    this.differences.show(this.state, runs, tensor, this.tensors);
    if (this.withEqual === this.state.equal) return;
    this.withEqual = this.equal.checked = this.state.equal;
    this.showFacts();
  }

  private build(): void {
    const equal = html('label', { class: 'check' }, this.equal, 'Show equal values too');
    this.body.replaceChildren(
      html(
        'div',
        { class: 'card' },
        html('div', { class: 'row apart' }, html('h2', {}, 'Differences'), equal),
        this.facts,
      ),
      html(
        'div',
        { class: 'card' },
        html('div', { class: 'row apart' }, html('h2', {}, 'All metrics'), this.charts.bar),
        this.charts.note,
        this.grid.element,
      ),
      html(
        'div',
        { class: 'card' },
        html('h2', {}, 'One tensor'),
        this.fields.element,
        this.overlay.element,
      ),
      html('div', { class: 'card' }, html('h2', {}, 'Tensor comparison'), this.differences.element),
      html('div', { class: 'card' }, html('h2', {}, 'Findings'), this.findings),
    );
  }

  private showFacts(): void {
    const runs = this.state.runs.flatMap((id) => this.details.get(id) ?? []);
    const facts = runs.length > 0 ? factsTable(runs, this.recorded, this.state.equal) : loading();
    this.keepOpen(facts);
    if (!this.facts.firstElementChild?.isEqualNode(facts)) this.facts.replaceChildren(facts);
    const findings = findingsOf(runs);
    // The focus may be on a link that is shown.
    if (!this.findings.firstElementChild?.isEqualNode(findings))
      this.findings.replaceChildren(findings);
  }

  // What the reader has unfolded stays so.
  private keepOpen(facts: HTMLElement): void {
    const folds = (of: HTMLElement): HTMLDetailsElement[] => [...of.querySelectorAll('details')];
    const [before, now] = [folds(this.facts), folds(facts)];
    if (before.length === now.length)
      now.forEach((fold, i) => (fold.open = before[i]?.open ?? false));
  }

  private look(): void {
    const goesOn = (run: RunSummary): boolean => this.state.runs.includes(run.id) && isRunning(run);
    if (!document.hidden && this.known.some(goesOn)) this.grownSoon.tell();
  }

  private grown(): void {
    if (this.state.runs.length < 2) return;
    this.differences.grown();
    this.charts.grow();
    if (!this.askDetails.waiting) this.loadDetails(this.state.runs);
    // A training that just started has saved none.
    const going = new Set(this.known.filter(isRunning).map(({ id }) => id));
    const lists = this.state.runs.filter((id) => going.has(id) || !this.lists.has(id));
    if (!this.askTensors.waiting && lists.length > 0) this.loadTensors(lists);
  }
}
