// System metrics: one time axis for all charts, updated live.

import { below, type Refusal } from '../../api/client';
import type { LiveEvent, MetricList, RunDetail, TimeMarks, UtilisationRow } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { Latest } from '../common/latest';
import { StepTimes } from '../common/step_times';
import { empty, loading, refused } from '../common/states';
import type { RunContext, View } from '../panel';
import { ChartBoard } from './board';
import { chartsOf, type Node } from './charts';
import { Controls } from './controls';
import { DeviceChoice } from './devices';
import { plotMarks } from './marks';
import { SummaryTable } from './summary';
import { Timeframe } from './timeframe';

// Polls while the server still reads: more samples and nodes may follow.
type Listed = MetricList & {
  state?: { done: boolean; read: number; total: number };
  problems?: string[];
};

const names = (text: string | null): string[] =>
  (text ?? '').split(',').filter((name) => name !== '');

export class SystemView implements View {
  private readonly frame = new Timeframe();
  private readonly controls: Controls;
  private readonly cores: DeviceChoice;
  private readonly gpus: DeviceChoice;
  private readonly board: ChartBoard;
  private readonly told = html('span', { class: 'system-of' });
  private readonly waiting = loading();
  private readonly table = new SummaryTable((node) =>
    this.write((params) => params.set('node', node), true),
  );
  private readonly problems = html('div', { class: 'system-trouble' });
  private readonly trouble = html('div', { class: 'system-trouble' });
  private readonly listQuestion = new Latest();
  private readonly summaryQuestion = new Latest();
  private readonly marksQuestion = new Latest();
  private readonly pace = new Paced(() => this.follow(), 1000);
  // Nodes, devices and metrics may come later.
  private readonly slowPace = new Paced(() => this.load(), 5000);
  private readonly times: StepTimes; // Of findings that no timeline has.
  private list: Listed | null = null;
  private rows: UtilisationRow[] | null = null;
  private marks: TimeMarks | null = null;
  private isBuilt = false; // The charts are on the page.

  constructor(
    private readonly context: RunContext,
    private readonly into: HTMLElement,
  ) {
    this.frame.read(context.params);
    this.times = new StepTimes(context.client, context.run.id, () => this.showMarks());
    this.controls = new Controls(this.frame, {
      node: (name) => this.write((params) => params.set('node', name), true),
      changed: () => this.moved(true),
    });
    this.cores = new DeviceChoice('cores', (chosen) => this.choose('cores', chosen));
    this.gpus = new DeviceChoice('GPUs', (chosen) => this.choose('gpus', chosen));
    this.board = new ChartBoard(context, {
      moved: (range, settled) => {
        this.frame.choose(range);
        this.moved(settled);
      },
      failed: (error) => this.failed(error),
      answered: () => this.trouble.replaceChildren(),
    });
    into.append(loading('Loading metrics …'));
    this.load();
  }

  live(event: LiveEvent): void {
    if (event.event === 'metrics') this.grown(event.data.time);
    else if (event.event === 'finding') this.slowPace.tell();
    else if (event.event === 'back') this.load();
  }

  update(run: RunDetail): void {
    // The first metrics of a run can arrive after the panel was opened.
    if (run.has.metrics && this.list?.nodes.length === 0) this.slowPace.tell();
  }

  navigate(params: URLSearchParams): void {
    this.frame.read(params);
    this.show();
  }

  close(): void {
    for (const question of [this.listQuestion, this.summaryQuestion, this.marksQuestion])
      question.giveUp();
    this.pace.stop();
    this.slowPace.stop();
    this.times.close();
    this.board.close();
  }

  private get node(): Node | undefined {
    const wanted = this.context.params.get('node');
    return this.list?.nodes.find(({ name }) => name === wanted) ?? this.list?.nodes[0];
  }

  private load(): void {
    this.listQuestion.ask(
      (signal) =>
        this.context.client.get<Listed>(below(this.context.run.id, 'metrics'), { signal }),
      (list) => this.loaded(list),
      (error) => {
        if (this.list) this.failed(error);
        else this.into.replaceChildren(refused(error, () => this.load()));
      },
    );
  }

  private loaded(list: Listed): void {
    this.list = list;
    this.showProblems(list.problems);
    if (list.nodes.length === 0 || list.start === null || list.end === null) {
      this.isBuilt = false;
      this.into.replaceChildren(
        empty('No metrics yet', 'Charts appear here when the first samples are written.'),
      );
      return;
    }
    this.frame.extent = [list.start, Math.max(list.end, list.start + 1e-3)];
    const first = !this.isBuilt;
    if (first) this.build();
    this.show();
    // Data shown before belongs to the old node or range.
    if (!first) this.board.refresh(this.frame.extent, this.frame.range);
    this.askAround();
  }

  private build(): void {
    this.isBuilt = true;
    const key = html('p', { class: 'system-key' });
    key.append(
      html(
        'span',
        {},
        html('span', { class: 'system-mark system-mark-finding', 'aria-hidden': 'true' }),
        'finding',
      ),
      html('span', {}, html('span', { class: 'system-mark', 'aria-hidden': 'true' }), 'slow step'),
      html(
        'span',
        {},
        html('span', { class: 'system-mark system-mark-loop', 'aria-hidden': 'true' }),
        'training loop',
      ),
    );
    const choices = html(
      'div',
      { class: 'system-choices' },
      this.cores.element,
      this.gpus.element,
      key,
    );
    const title = html('h2', {}, 'Utilization ', this.told);
    const summary = html('section', { class: 'card' }, title, this.table.element, this.waiting);
    const parts = [
      this.controls.element,
      this.trouble,
      this.problems,
      summary,
      choices,
      this.board.element,
    ];
    this.into.replaceChildren(html('div', { class: 'system' }, ...parts));
  }

  // Applies the URL parameters and the time range.
  private show(): void {
    const node = this.node;
    if (!this.list || !node) return;
    const { params } = this.context;
    const cores = names(params.get('cores')).filter((name) => node.cores.includes(name));
    const gpus = names(params.get('gpus')).filter((name) => node.gpus.includes(name));
    this.controls.setNodes(
      this.list.nodes.map(({ name }) => name),
      node.name,
    );
    this.cores.set(node.cores, cores);
    this.gpus.set(node.gpus, gpus);
    this.board.setNode(node.name, chartsOf(node, cores, gpus));
    this.showMarks();
    this.showSummary();
    this.board.look(this.frame.extent, this.frame.range, true);
    this.controls.show();
  }

  private moved(settled: boolean): void {
    this.board.look(this.frame.extent, this.frame.range, settled);
    this.controls.show();
    if (!settled) return;
    this.write((params) => this.frame.write(params));
    this.askSummary();
  }

  private write(change: (params: URLSearchParams) => void, step = false): void {
    const params = new URLSearchParams(this.context.params);
    change(params);
    this.context.setParams(params, step);
    if (step) this.show();
  }

  private choose(name: string, chosen: string[]): void {
    const params = new URLSearchParams(this.context.params);
    if (chosen.length > 0) params.set(name, chosen.join(','));
    else params.delete(name);
    this.context.setParams(params);
    const node = this.node;
    if (node)
      this.board.setNode(
        node.name,
        chartsOf(node, names(params.get('cores')), names(params.get('gpus'))),
      );
  }

  private grown(time: number): void {
    const extent = this.frame.extent;
    if (!extent) {
      this.load(); // Those are the first.
      return;
    }
    if (!(time > extent[1])) return;
    this.frame.extent = [extent[0], time];
    this.pace.tell();
    this.slowPace.tell();
  }

  private follow(): void {
    if (this.frame.isFixed) {
      this.board.look(this.frame.extent, this.frame.range, true);
      return;
    }
    this.board.refresh(this.frame.extent, this.frame.range);
    this.controls.show();
  }

  private askAround(): void {
    this.askSummary();
    this.marksQuestion.ask(
      (signal) =>
        this.context.client.get<TimeMarks>(below(this.context.run.id, 'metrics/marks'), { signal }),
      (marks) => {
        this.marks = marks;
        this.times.grow();
        this.showMarks();
      },
      () => undefined, // The charts are fine without them; the next event asks again.
    );
  }

  private askSummary(): void {
    const [from, to] = this.frame.range ?? [undefined, undefined];
    this.summaryQuestion.ask(
      (signal) =>
        this.context.client.get<UtilisationRow[]>(below(this.context.run.id, 'metrics/summary'), {
          query: { from, to },
          signal,
        }),
      (rows) => {
        this.rows = rows;
        this.showSummary();
      },
      (error) => this.failed(error),
    );
  }

  private showMarks(): void {
    this.board.setMarks(
      plotMarks(this.context.run, this.marks, this.frame.at, (step) => this.times.of(step)),
      this.marks?.loop ?? null,
    );
  }

  private showSummary(): void {
    this.told.textContent = this.frame.range ? 'in the time range shown' : 'over the whole run';
    if (!this.rows) return;
    this.table.set(this.rows, this.node?.name ?? '');
    this.waiting.hidden = true;
  }

  private showProblems(problems: readonly string[]): void {
    if (problems.length === 0) {
      this.problems.replaceChildren();
      return;
    }
    const lines = problems.slice(0, 20).map((problem) => html('li', {}, problem));
    const count =
      problems.length === 1
        ? '1 file could not be read completely'
        : `${problems.length} files could not be read completely`;
    this.problems.replaceChildren(
      html(
        'details',
        { class: 'notice warning' },
        html('summary', {}, count),
        html('ul', {}, ...lines),
      ),
    );
  }

  private failed(error: Refusal): void {
    this.trouble.replaceChildren(refused(error, () => this.load()));
  }
}
