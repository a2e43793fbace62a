// Rows of a tensor as points on a plane: embeddings, latent variables, outputs of a batch.

import type { Answer, Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import type { TensorInfo } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import type { Method, Stepwise } from '../../embedding/layout';
import { principalComponents } from '../../embedding/pca';
import { Distances, type Points } from '../../embedding/points';
import { Tsne } from '../../embedding/tsne';
import { Umap } from '../../embedding/umap';
import { Choice, type Option, Pills } from '../common/fields';
import { Latest } from '../common/latest';
import { empty, loading, refused } from '../common/states';
import {
  type Coloring,
  coloringOf,
  isLabels,
  isPoints,
  likelyLabels,
  likelyPoints,
  sampleOf,
} from './projector_data';
import { ProjectorPlot } from './projector_plot';
import type { Desk, TabView } from './state';
import { focused } from './state';
import { StepField } from './step_field';
import { askValue, type ValueHeader } from './value';

const METHODS: { value: Method; label: string }[] = [
  { value: 'pca', label: 'PCA' },
  { value: 'tsne', label: 't-SNE' },
  { value: 'umap', label: 'UMAP' },
];
const FRAME = 12; // Milliseconds of computing between two pictures.

interface Loaded {
  readonly points: Points;
  readonly coloring: Coloring;
  readonly trouble: string;
}

export class ProjectorTab implements TabView {
  private readonly steps: StepField;
  private readonly points = new Choice('Tensor', (tensor) =>
    this.desk.change({ tensors: [tensor], focus: 0, slice: '' }, true),
  );
  private readonly labels = new Choice('Color by', (labels) => this.desk.change({ labels }, true));
  private readonly methods = new Pills('Layout', (view) => this.desk.change({ view }, true));
  private readonly box = html('div', { class: 'tensors-projector' });
  private readonly note = html('p', { class: 'common-note', role: 'status' });
  private readonly latest = new Latest();
  private readonly soon = new Paced(() => this.load(), 60);
  private plot: ProjectorPlot | null = null;
  private asked = '';
  private frame = 0;

  constructor(
    into: HTMLElement,
    private readonly client: Client,
    private readonly desk: Desk,
  ) {
    this.steps = new StepField(client, desk, () => this.show());
    const bar = html(
      'div',
      { class: 'common-bar tensors-activation-fields' },
      this.points.element,
      this.labels.element,
      this.methods.element,
    );
    into.append(bar, this.steps.element, this.box, this.note);
  }

  show(): void {
    const { points, labels } = this.chosen();
    if (!points) return this.nothing();
    this.fill(points, labels);
    this.steps.element.hidden = false;
    this.steps.show(points.name);
    const step = this.steps.step();
    const { mode, worker } = this.desk.state();
    const none = 'It was not saved in this mode or by this worker. Choose another mode or worker.';
    if (step === null)
      return this.clear(this.steps.none ? empty('No steps with this tensor', none) : loading());
    const question = JSON.stringify([points.name, labels, step, mode, worker, this.method]);
    if (question === this.asked) return;
    this.asked = question;
    this.soon.tell();
  }

  grown(): void {
    const { points } = this.chosen();
    if (points) this.steps.grown(points.name);
  }

  close(): void {
    this.latest.giveUp();
    this.soon.stop();
    this.steps.close();
    this.clear();
  }

  private get method(): Method {
    return METHODS.find(({ value }) => value === this.desk.state().view)?.value ?? 'pca';
  }

  private chosen(): { points: TensorInfo | undefined; labels: string } {
    const state = this.desk.state();
    const all = this.desk.list().tensors;
    const points = likelyPoints(all, focused(state));
    const rows = points?.shape?.[0] ?? 0;
    const fits = all.some((info) => info.name === state.labels && isLabels(info, rows));
    const wanted = state.labels === 'none' || fits ? state.labels : '';
    return { points, labels: wanted || (likelyLabels(all, rows)?.name ?? 'none') };
  }

  private fill(points: TensorInfo, labels: string): void {
    const all = this.desk.list().tensors;
    const option = ({ name, shape }: TensorInfo): Option => ({
      value: name,
      label: `${name} (${shape?.join('×') ?? ''})`,
    });
    this.points.set(all.filter(isPoints).map(option), points.name);
    const fitting = all.filter((info) => isLabels(info, points.shape?.[0] ?? 0));
    this.labels.set([{ value: 'none', label: 'Nothing' }, ...fitting.map(option)], labels);
    this.methods.set(METHODS, [this.method]);
  }

  private nothing(): void {
    this.steps.element.hidden = true;
    this.methods.set([], []);
    this.clear(
      empty(
        'No tensor with rows was saved',
        'The projector shows the rows of a tensor as points. It needs the values of a tensor with at least 3 rows and 2 columns, such as an embedding or the output of a layer.',
      ),
    );
  }

  private clear(...instead: Node[]): void {
    cancelAnimationFrame(this.frame);
    this.plot?.destroy();
    this.plot = null;
    this.note.textContent = '';
    this.box.replaceChildren(...instead);
  }

  private load(): void {
    const { points, labels } = this.chosen();
    const step = this.steps.step();
    if (!points || step === null) return;
    const { method } = this;
    this.latest.ask(
      (signal) => this.askBoth(points, labels, method, step, signal),
      (loaded) => this.came(loaded, points, labels, method),
      (error) => {
        this.asked = '';
        this.clear(refused(error, () => this.show()));
      },
    );
  }

  private async askBoth(
    { name, shape }: TensorInfo,
    labels: string,
    method: Method,
    step: number,
    signal: AbortSignal,
  ): Promise<Answer<Loaded>> {
    const sample = sampleOf(shape ?? [], method);
    const [values, colours] = await Promise.all([
      askValue(this.client, this.desk, name, step, sample.slice, signal),
      labels === 'none'
        ? null
        : askValue(this.client, this.desk, labels, step, sample.labels, signal),
    ]);
    if (!values.ok) return values;
    const [rows = 0, ...rest] = values.value.header.sliced_shape;
    const columns = rest.reduce((all, size) => all * size, 1);
    const points = { rows, columns, values: values.value.column('values') };
    const found = colours?.ok ? labelsOf(colours.value) : [];
    const trouble =
      colours && !colours.ok
        ? `Could not load the labels: ${colours.error.message}.`
        : found.length > 0 && found.length !== rows
          ? 'The labels of this step have another length.'
          : '';
    const coloring = coloringOf(found.length === rows ? found : []);
    return { ok: true, value: { points, coloring, trouble } };
  }

  private came(loaded: Loaded, { shape }: TensorInfo, labels: string, method: Method): void {
    const { points, coloring, trouble } = loaded;
    const sample = sampleOf(shape ?? [], method);
    if (points.rows < 3)
      return this.clear(empty('Too few rows', 'The tensor has fewer than 3 rows at this step.'));
    cancelAnimationFrame(this.frame);
    if (!this.plot) {
      this.box.replaceChildren();
      this.plot = new ProjectorPlot(this.box);
    }
    const { plot } = this;
    const told = { rows: points.rows, every: sample.every, coloring, labels };
    const about = [trouble, sampled(points, sample.every, sample.everyColumn, shape ?? [])];
    const say = (words: string): void => {
      this.note.textContent = [words, ...about].filter(Boolean).join(' ');
    };
    const { scores, shares } = principalComponents(points, 2);
    plot.set({ ...told, places: scores });
    const share = shares.map((part) => `${(100 * part).toFixed(1)} %`).join(' and ');
    if (method === 'pca') return say(`The axes show ${share} of the variance.`);
    const distances = new Distances(points);
    let layout: Stepwise | null = null;
    const name = method === 'tsne' ? 't-SNE' : 'UMAP';
    say(`${name}: placing the points …`);
    // In small pieces: the page stays responsive and shows how the layout forms.
    const next = (): void => {
      const end = performance.now() + FRAME;
      while (!distances.done && performance.now() < end) distances.step();
      if (distances.done) {
        const Layout = method === 'tsne' ? Tsne : Umap;
        layout ??= new Layout(distances.squared, points.rows, scores);
        while (!layout.done && performance.now() < end) layout.step();
        plot.set({ ...told, places: layout.places });
      }
      if (!layout?.done) this.frame = requestAnimationFrame(next);
      else say(`${name}, ${layout.steps} iterations. Only near neighbors are meaningful.`);
    };
    this.frame = requestAnimationFrame(next);
  }
}

const labelsOf = (answer: Columns<ValueHeader>): readonly (number | string)[] =>
  answer.header.strings ?? Array.from(answer.column('values'));

function sampled(
  { rows }: Points,
  every: number,
  everyColumn: number,
  shape: readonly number[],
): string {
  const all = (shape[0] ?? rows).toLocaleString('en');
  const columns = everyColumn > 1 ? ` Of each row every ${everyColumn}th number is used.` : '';
  if (every === 1) return `All ${all} rows are shown.${columns}`;
  return `${rows.toLocaleString('en')} of ${all} rows are shown: every ${every}th.${columns}`;
}
