// The activations of all layers for one sample, as planes behind each other.

import type { Answer, Client } from '../../api/client';
import type { TensorInfo } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { Latest } from '../common/latest';
import { empty, loading, refused } from '../common/states';
import { CELLS, isLayerOutput, layersOf, planeOf, sliceOfLayer } from './activation_stack';
import { imageField } from './image_field';
import { type StackLayer, StackPicture } from './stack_picture';
import type { Desk, TabView } from './state';
import { StepField } from './step_field';
import { askValue } from './value';

export class StackTab implements TabView {
  private readonly steps: StepField;
  private readonly number: HTMLInputElement;
  private readonly box = html('div', { class: 'tensors-stack' });
  private readonly note = html('p', { class: 'common-note', role: 'status' });
  private readonly latest = new Latest();
  private readonly soon = new Paced(() => this.load(), 60);
  private readonly fields: HTMLElement;
  private picture: StackPicture | null = null;
  private asked = '';

  constructor(
    into: HTMLElement,
    private readonly client: Client,
    private readonly desk: Desk,
  ) {
    this.steps = new StepField(client, desk, () => this.show());
    this.number = imageField(desk);
    this.fields = html(
      'div',
      { class: 'common-bar' },
      html('label', { class: 'field' }, 'Sample number', this.number),
    );
    into.append(this.fields, this.steps.element, this.box, this.note);
  }

  show(): void {
    const layers = layersOf(this.desk.list().tensors);
    const [first] = layers;
    this.fields.hidden = this.steps.element.hidden = !first;
    if (!first) return this.nothing();
    const { mode, worker, image } = this.desk.state();
    if (document.activeElement !== this.number) this.number.value = String(image);
    this.number.max = String(Math.max(0, (first.shape?.[0] ?? 1) - 1));
    this.steps.show(first.name);
    const step = this.steps.step();
    const none = 'They were not saved in this mode or by this worker. Choose another one.';
    if (step === null)
      return this.clear(this.steps.none ? empty('No steps with activations', none) : loading());
    const names = layers.map(({ name }) => name);
    const question = JSON.stringify([names, step, mode, worker, image]);
    if (question === this.asked) return;
    this.asked = question;
    this.soon.tell();
  }

  grown(): void {
    const [first] = layersOf(this.desk.list().tensors);
    if (first) this.steps.grown(first.name);
  }

  close(): void {
    this.latest.giveUp();
    this.soon.stop();
    this.steps.close();
    this.clear();
  }

  private nothing(): void {
    this.clear(
      empty(
        'No activations were saved',
        'This view needs the values of outputs of layers, with one row for each sample. To save them, add a collection that matches the outputs and has no reductions, or run with --save-all.',
      ),
    );
  }

  private clear(...instead: Node[]): void {
    this.picture?.destroy();
    this.picture = null;
    this.note.textContent = '';
    this.box.replaceChildren(...instead);
  }

  private load(): void {
    const step = this.steps.step();
    if (step === null) return;
    const all = this.desk.list().tensors;
    const layers = layersOf(all);
    this.latest.ask(
      (signal) => this.askLayers(layers, step, signal),
      (shown) => {
        if (!this.picture) {
          this.box.replaceChildren();
          this.picture = new StackPicture(this.box);
        }
        this.picture.set(shown);
        this.note.textContent = noteOf(shown.length, all.filter(isLayerOutput).length);
      },
      (error) => {
        this.asked = '';
        this.clear(refused(error, () => this.show()));
      },
    );
  }

  // Layers that were not saved at this step are left out, unless all are.
  private async askLayers(
    layers: readonly TensorInfo[],
    step: number,
    signal: AbortSignal,
  ): Promise<Answer<StackLayer[]>> {
    const { image } = this.desk.state();
    const answers = await Promise.all(
      layers.map(({ name, shape }) =>
        askValue(this.client, this.desk, name, step, sliceOfLayer(shape ?? [], image), signal),
      ),
    );
    const shown: StackLayer[] = [];
    answers.forEach((answer, i) => {
      const name = layers[i]?.name ?? '';
      if (!answer.ok) return;
      const { sliced_shape } = answer.value.header;
      shown.push({ name, plane: planeOf(sliced_shape, answer.value.column('values')) });
    });
    const [first] = answers;
    if (shown.length === 0 && first && !first.ok) return first;
    return { ok: true, value: shown };
  }
}

function noteOf(shown: number, all: number): string {
  const count = shown === all ? `${all} layers` : `${shown} of ${all} layers`;
  return (
    `${count}, from the first to the last. Each shows the mean over its channels in at most ` +
    `${CELLS} × ${CELLS} cells and has its own color scale. Drag or use the arrow keys to turn.`
  );
}
