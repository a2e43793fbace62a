// The panel: tensor tree, selection, and the tabs that show it.

import { below } from '../../api/client';
import type { LiveEvent, TensorInfo, TensorList } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { Choice, plainOptions, Tabs } from '../common/fields';
import { Latest } from '../common/latest';
import { empty, loading, refused } from '../common/states';
import type { RunContext, View } from '../panel';
import { ActivationTab } from './activation_tab';
import { AttentionTab } from './attention_tab';
import { Chips } from './chips';
import { ClassifierTab } from './classifier_tab';
import { DistributionTab } from './distribution_tab';
import { ProjectorTab } from './projector_tab';
import { SeriesTab } from './series_tab';
import { StackTab } from './stack_tab';
import {
  type Desk,
  MOST_TENSORS,
  readState,
  type State,
  type Tab,
  TABS,
  type TabView,
  writeState,
} from './state';
import { Tree } from '../common/tree';
import { TreeView } from './tree_view';
import { ValuesTab } from './values_tab';

const MANY = 5000; // From this size on the list is reloaded less often.

export class TensorsView implements View, Desk {
  readonly run: string;
  private current: State;
  private tensors: TensorList | null = null;
  private byName = new Map<string, TensorInfo>();
  private readonly tree = new Tree();
  private finder: TreeView | null = null;
  private readonly latest = new Latest();
  private readonly grownSoon = new Paced(() => this.tab?.grown(), 1000);
  private readonly listSoon: Paced;
  private readonly body = html('div', {
    class: 'tensors-body',
    id: 'tensors-body',
    role: 'tabpanel',
  });
  private readonly progress = html('p', { class: 'common-note', role: 'status' });
  private readonly tabs = new Tabs('Views', TABS, this.body, (tab) =>
    this.change({ tab: tab as Tab, view: '' }, true),
  );
  private readonly chips = new Chips(this);
  private readonly mode = new Choice('Mode', (mode) =>
    this.change({ mode: mode as State['mode'], range: null, step: null }, true),
  );
  private readonly worker = new Choice('Worker', (worker) => this.change({ worker }, true));
  private tab: TabView | null = null;
  private shownTab: Tab | '' = '';

  constructor(
    private readonly context: RunContext,
    private readonly into: HTMLElement,
  ) {
    this.run = context.run.id;
    this.current = readState(context.params);
    this.listSoon = new Paced(() => this.load(), 5000);
    into.append(loading('Loading tensors …'));
    this.load();
  }

  state(): State {
    return this.current;
  }

  list(): TensorList {
    return (
      this.tensors ?? {
        modes: [],
        workers: [],
        collections: [],
        tensors: [],
        ingested: { steps: 0, total: 0, done: true },
        problems: [],
      }
    );
  }

  info(tensor: string): TensorInfo | undefined {
    return this.byName.get(tensor);
  }

  announce(words: string, tone?: 'plain' | 'warning'): void {
    this.context.announce(words, tone);
  }

  change(change: Partial<State>, step = false): void {
    this.current = { ...this.current, ...change };
    this.context.setParams(writeState(this.current), step);
    this.show();
  }

  navigate(params: URLSearchParams): void {
    this.current = readState(params);
    if (this.tensors) this.chooseSome();
    this.finder?.setSearch(this.current.find);
    const [first] = this.current.tensors;
    if (first !== undefined) this.finder?.reveal(first);
    this.show();
  }

  live(event: LiveEvent): void {
    if (event.event === 'steps' || event.event === 'back') {
      this.grownSoon.tell();
      const reading = this.tensors ? !this.tensors.ingested.done : true;
      if (event.event === 'back' || reading || this.list().tensors.length < MANY)
        this.listSoon.tell();
      if (event.event === 'steps') this.tellProgress(event.data.ingested, event.data.total);
    }
  }

  close(): void {
    this.latest.giveUp();
    this.grownSoon.stop();
    this.listSoon.stop();
    this.tab?.close();
    this.finder?.close();
  }

  private load(): void {
    this.latest.askAgain(
      (signal) => this.context.client.get<TensorList>(below(this.run, 'tensors'), { signal }),
      (list) => this.loaded(list),
      (error) => {
        if (!this.tensors) this.into.replaceChildren(refused(error, () => this.load()));
      },
    );
  }

  private loaded(list: TensorList): void {
    const first = this.finder === null;
    this.tensors = list;
    this.byName = new Map(list.tensors.map((tensor) => [tensor.name, tensor]));
    this.tree.setTensors(list.tensors, list.collections);
    this.tellProgress(list.ingested.steps, list.ingested.total);
    if (list.tensors.length === 0) {
      const words = list.ingested.done ? 'No steps saved yet' : 'Reading the first steps';
      this.into.replaceChildren(
        empty(words, 'Tensors appear here when the training saves its first step.'),
      );
      return;
    }
    if (first) this.build();
    this.finder?.refresh();
    this.chooseSome();
    const [chosen] = this.current.tensors;
    if (first && chosen !== undefined) this.finder?.reveal(chosen);
    this.show();
  }

  private build(): void {
    this.finder = new TreeView(this.tree, {
      select: (tensor, add) => this.select(tensor, add),
      isSelected: (tensor) => this.current.tensors.includes(tensor),
      searched: (find) => {
        this.current = { ...this.current, find };
        this.context.setParams(writeState(this.current));
      },
    });
    this.finder.setSearch(this.current.find);
    const aside = html(
      'details',
      { class: 'tensors-side card', open: '' },
      html('summary', {}, 'All tensors'),
      this.finder.element,
    );
    if (matchMedia('(max-width: 52rem)').matches) aside.open = false;
    const choices = html('div', { class: 'common-bar' }, this.mode.element, this.worker.element);
    const main = html('div', { class: 'tensors-main card' });
    main.append(
      html('div', { class: 'tensors-head' }, this.chips.element, choices),
      this.tabs.element,
      this.body,
      this.progress,
    );
    this.into.replaceChildren(
      html('div', { class: 'tensors-layout' }, aside, main),
      ...this.problems(),
    );
  }

  private problems(): HTMLElement[] {
    const problems = this.list().problems;
    if (problems.length === 0) return [];
    const list = html('ul', {}, ...problems.slice(0, 50).map((words) => html('li', {}, words)));
    const count = `${problems.length} ${problems.length === 1 ? 'item' : 'items'} could not be read`;
    return [
      html(
        'details',
        { class: 'notice warning tensors-problems' },
        html('summary', {}, count),
        list,
      ),
    ];
  }

  // Nothing was selected: start with the losses.
  private chooseSome(): void {
    if (this.current.tensors.length > 0) return;
    const all = this.list().tensors;
    const losses = all.filter(({ collections }) => collections.includes('losses'));
    const some = losses.length > 0 ? losses.slice(0, 4) : all.slice(0, 1);
    this.current = { ...this.current, tensors: some.map(({ name }) => name) };
  }

  private select(tensor: string, add: boolean): void {
    const now = this.current.tensors;
    if (!add) return this.change({ tensors: [tensor], focus: 0, slice: '', view: '' }, true);
    if (now.includes(tensor)) return this.remove(tensor);
    if (now.length >= MOST_TENSORS)
      return this.announce(
        `At most ${MOST_TENSORS} tensors can be shown. Remove one first.`,
        'warning',
      );
    this.change({ tensors: [...now, tensor] }, true);
  }

  remove(tensor: string): void {
    const left = this.current.tensors.filter((one) => one !== tensor);
    if (left.length === 0) return;
    this.change({ tensors: left, focus: Math.min(this.current.focus, left.length - 1) }, true);
    this.finder?.refresh();
  }

  private tellProgress(steps: number, total: number): void {
    const done = steps >= total;
    this.progress.hidden = done;
    if (!done)
      this.progress.textContent = `${steps.toLocaleString('en')} of ${total.toLocaleString('en')} steps read. The charts fill in as reading continues.`;
  }

  private show(): void {
    if (!this.finder) return;
    const { modes, workers } = this.list();
    const words = {
      GLOBAL: 'All (global steps)',
      TRAIN: 'Training',
      EVAL: 'Evaluation',
      PREDICT: 'Prediction',
    };
    const known = ['GLOBAL' as const, ...modes.filter((mode) => mode !== 'GLOBAL')];
    this.mode.set(
      known.map((value) => ({ value, label: words[value] })),
      this.current.mode,
    );
    this.mode.show(known.length > 1);
    this.worker.set(plainOptions(workers), this.current.worker || (workers[0] ?? ''));
    this.worker.show(workers.length > 1 || this.current.worker !== '');
    this.chips.show(this.current.tab !== 'series');
    this.body.setAttribute('aria-labelledby', this.tabs.set(this.current.tab));
    this.openTab();
    this.tab?.show();
  }

  private openTab(): void {
    if (this.shownTab === this.current.tab) return;
    this.tab?.close();
    this.body.replaceChildren();
    this.shownTab = this.current.tab;
    const make = {
      series: SeriesTab,
      distribution: DistributionTab,
      values: ValuesTab,
      activation: ActivationTab,
      projector: ProjectorTab,
      stack: StackTab,
      classifier: ClassifierTab,
      attention: AttentionTab,
    }[this.shownTab];
    this.tab = new make(this.body, this.context.client, this);
  }
}
