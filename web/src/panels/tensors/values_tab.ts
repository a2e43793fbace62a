// The values of one tensor at one step.

import type { Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { figure } from '../../base/format';
import { Pills } from '../common/fields';
import { Latest } from '../common/latest';
import { empty, loading, refused } from '../common/states';
import { Blocks } from './blocks';
import { fitParts } from './fit_parts';
import { SliceFields } from './slice_fields';
import {
  axesOf,
  elementsOf,
  partsFor,
  partsOf,
  shownAxes,
  sliceText,
  troubleOf,
  usualView,
  type View,
  VIEW_WORDS,
  viewsOf,
} from './slices';
import { type Desk, focused, type TabView } from './state';
import { StepField } from './step_field';
import { askValue, numberOf, type Shown, type ValueHeader } from './value';
import { ValueTable } from './value_table';
import { drawShown, type Drawn } from './value_views';

const AT_ONCE = 1 << 18; // Larger tables are loaded in blocks.
const CHANNELS = 64;

interface Question {
  tensor: string;
  step: number;
  parts: string[] | null; // Null: the slice is invalid; the server says why.
  large: boolean;
  every: number;
}

export class ValuesTab implements TabView {
  private readonly steps: StepField;
  private readonly slices: SliceFields;
  private readonly views: Pills;
  private readonly each = html('input', { type: 'checkbox' });
  private readonly eachLabel = html(
    'label',
    { class: 'check' },
    this.each,
    'Separate color scales',
  );
  private readonly facts = html('dl', { class: 'facts tensors-facts' });
  private readonly box = html('div', { class: 'tensors-values' });
  private readonly note = html('p', { class: 'common-note', role: 'status' });
  private readonly latest = new Latest();
  private readonly soon = new Paced(() => this.load(), 60);
  private drawn: Drawn | null = null;
  private asked = '';
  // Shape of the tensor at the last step that was loaded.
  private shape: readonly number[] | null = null;
  private shapeOf = '';
  private channels = CHANNELS;

  constructor(
    into: HTMLElement,
    private readonly client: Client,
    private readonly desk: Desk,
  ) {
    this.steps = new StepField(client, desk, () => this.show());
    this.slices = new SliceFields(desk);
    this.views = new Pills('View', (view) => desk.change({ view }, true));
    this.each.addEventListener('change', () => desk.change({ each: this.each.checked }));
    const bar = html('div', { class: 'common-bar' }, this.views.element, this.eachLabel);
    into.append(this.steps.element, bar, this.slices.element, this.box, this.note, this.facts);
  }

  show(): void {
    const tensor = focused(this.desk.state());
    const info = this.desk.info(tensor);
    if (tensor !== this.shapeOf) {
      this.shape = info?.shape ?? null;
      this.shapeOf = tensor;
    }
    if (info && !info.values) return this.onlyReductions(tensor, info.statistics.includes('value'));
    this.steps.show(tensor);
    this.controls();
    const step = this.steps.step();
    const { mode, worker, slice, each } = this.desk.state();
    const question = JSON.stringify([
      tensor,
      step,
      mode,
      worker,
      slice,
      this.view,
      each,
      this.channels,
      this.shape,
    ]);
    if (question === this.asked || step === null) {
      const none =
        'It was not saved in this mode or by this worker. Choose another mode or worker.';
      if (step === null)
        this.clear(this.steps.none ? empty('No steps with this tensor', none) : loading());
      return;
    }
    const otherTensor = !this.asked.startsWith(JSON.stringify([tensor]).slice(0, -1));
    this.asked = question;
    if (otherTensor) {
      this.channels = CHANNELS;
      this.clear(loading());
    }
    this.soon.tell();
  }

  grown(): void {
    this.steps.grown(focused(this.desk.state()));
  }

  close(): void {
    this.latest.giveUp();
    this.soon.stop();
    this.steps.close();
    this.clear();
  }

  private get view(): View {
    const shape = this.shape ?? [];
    const views = viewsOf(shape);
    return views.find((view) => view === this.desk.state().view) ?? usualView(shape);
  }

  private controls(): void {
    const shape = this.shape ?? [];
    const views = viewsOf(shape);
    this.views.set(
      views.length > 1 ? views.map((value) => ({ value, label: VIEW_WORDS[value] })) : [],
      [this.view],
    );
    this.each.checked = this.desk.state().each;
    this.eachLabel.hidden = !/^(channels|images)/.test(this.view);
    this.slices.show(shape, this.view);
  }

  private clear(...instead: Node[]): void {
    this.drawn?.destroy();
    this.drawn = null;
    this.box.replaceChildren(...instead);
  }

  private onlyReductions(tensor: string, scalar: boolean): void {
    this.asked = '';
    this.clear(
      scalar
        ? empty('One number per step', `See the Series tab for the values of ${tensor}.`)
        : empty(
            'Only reductions of this tensor were saved',
            'To save the values, remove the reductions from its collection or add save_raw_tensor=True to them:',
            html(
              'pre',
              {},
              "hook.get_collection('…').reduction_config = ReductionConfig(\n    reductions=['mean'], save_raw_tensor=True)",
            ),
          ),
    );
    this.steps.element.hidden = this.slices.element.hidden = this.eachLabel.hidden = true;
    this.views.set([], []);
    this.note.textContent = '';
    this.facts.replaceChildren();
  }

  private load(): void {
    const tensor = focused(this.desk.state());
    const step = this.steps.step();
    if (step === null) return;
    this.steps.element.hidden = false;
    const { view } = this;
    const shape = this.shape ?? [];
    const trouble = this.shape ? troubleOf(this.desk.state().slice, shape) : '';
    if (trouble) return this.clear(refused({ status: 400, message: trouble }));
    const parts = partsFor(this.desk.state().slice, shape, view);
    const every = parts ? fitParts(parts, shape, view, this.channels) : 1;
    const large = parts !== null && view === 'table' && elementsOf(axesOf(parts, shape)) > AT_ONCE;
    // For a large table the first value brings all facts about the tensor.
    const slice = large
      ? parts.map((part) => (part.includes(':') ? '0:1' : part)).join(',')
      : parts
        ? sliceText(parts)
        : this.desk.state().slice;
    this.latest.ask(
      (signal) => askValue(this.client, this.desk, tensor, step, slice, signal),
      (answer) => this.came(answer, { tensor, step, parts, large, every }),
      (error) => {
        this.asked = '';
        this.clear(refused(error, () => this.show()));
      },
    );
  }

  private came(
    answer: Columns<ValueHeader>,
    { tensor, step, parts: asked, large, every }: Question,
  ): void {
    const { header } = answer;
    this.tellFacts(header);
    if (JSON.stringify(header.shape) !== JSON.stringify(this.shape)) {
      // The shape was unknown or changed at this step: other views and slices may suit it.
      this.shape = header.shape;
      return this.show();
    }
    const { view } = this;
    const parts =
      asked ?? partsOf(header.slice, header.shape.length) ?? header.shape.map(() => ':');
    this.clear();
    if (large) {
      const cells = new Blocks(this.client, this.desk, tensor, step, parts, header.shape, () =>
        table.refresh(),
      );
      const table = new ValueTable(this.box, tensor, cells);
      this.drawn = { destroy: () => (cells.close(), table.destroy()) };
    } else {
      const axes = axesOf(parts, header.shape).filter(({ single }) => !single);
      const shown: Shown = { tensor, header, axes, values: answer.column('values'), every };
      this.drawn = drawShown(this.box, shown, view, this.desk, parts);
      this.more(header.shape, view);
    }
    this.note.textContent = this.noteOf(header, every);
  }

  private more(shape: readonly number[], view: View): void {
    const axis =
      view === 'channels-last' ? shape.length - 1 : shape.length - shownAxes(view, shape.length);
    const all = shape[axis] ?? 0;
    if (
      !/^(channels|images)/.test(view) ||
      all <= this.channels ||
      this.desk.state().slice.includes(':')
    )
      return;
    const more = html(
      'button',
      { type: 'button', class: 'button' },
      `Show more (${this.channels} of ${all.toLocaleString('en')} shown)`,
    );
    more.addEventListener('click', () => {
      this.channels *= 4;
      this.show();
    });
    this.box.append(more);
  }

  private noteOf(header: ValueHeader, every: number): string {
    const lines: string[] = [];
    if (every > 1)
      lines.push(
        `Too large to show completely: showing every ${every}th row and column. Enter a slice to see part of it in full.`,
      );
    if (header.note) lines.push(header.note);
    return lines.join(' ');
  }

  private tellFacts(header: ValueHeader): void {
    const { summary } = header;
    const share = (value: number): string => (value > 0 ? `${figure(100 * value)} %` : 'none');
    const facts: [string, string][] = [
      ['Type', header.dtype],
      ['Shape', header.shape.length > 0 ? header.shape.join(' × ') : 'a single value'],
    ];
    if (summary) {
      const count = numberOf(summary.count);
      const part = (name: 'nans' | 'infs' | 'zeros'): string =>
        share(numberOf(summary[name]) / Math.max(1, numberOf(summary[name]) > 1 ? count : 1));
      facts.push(
        ['Minimum', figure(numberOf(summary.min))],
        ['Maximum', figure(numberOf(summary.max))],
        ['Mean', figure(numberOf(summary.mean))],
      );
      facts.push(
        ['Standard deviation', figure(numberOf(summary.std))],
        ['Zeros', part('zeros')],
        ['NaN', part('nans')],
        ['Infinite', part('infs')],
      );
    }
    this.facts.replaceChildren(
      ...facts.map(([name, words]) => html('div', {}, html('dt', {}, name), html('dd', {}, words))),
    );
  }
}
