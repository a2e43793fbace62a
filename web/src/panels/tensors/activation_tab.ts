// Which parts of an image an activation responds to: a class activation map, over the image if
// there is one.

import { type Answer, below, type Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import type { TensorInfo } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { Choice, type Option } from '../common/fields';
import { Latest } from '../common/latest';
import { empty, loading, refused } from '../common/states';
import { drawActivation, type MapShown } from './activation_picture';
import { imageField } from './image_field';
import { type Desk, focused, type TabView } from './state';
import { StepField } from './step_field';
import { askValue, type ValueHeader } from './value';

interface MapHeader {
  shape: [number, number];
  channels: number;
}

const isMap = ({ values, shape }: TensorInfo): boolean =>
  values && shape !== null && (shape.length === 4 || shape.length === 3);
const isGradient = ({ name, collections }: TensorInfo): boolean =>
  /grad/i.test(name) || collections.includes('gradients');
const isOutput = (info: TensorInfo): boolean =>
  !isGradient(info) && !info.collections.includes('weights');
const sizeOf = (info: TensorInfo | undefined): string => JSON.stringify(info?.shape ?? null);

export class ActivationTab implements TabView {
  private readonly steps: StepField;
  private readonly activation = new Choice('Activation', (activation) =>
    this.desk.change({ activation, gradient: '' }, true),
  );
  private readonly gradient = new Choice('Gradient', (gradient) =>
    this.desk.change({ gradient }, true),
  );
  private readonly images = new Choice('Input images', (images) =>
    this.desk.change({ images }, true),
  );
  private readonly number: HTMLInputElement;
  private readonly opacity = html('input', { type: 'range', min: 0, max: 100, value: 55 });
  private readonly box = html('div', { class: 'tensors-activation' });
  private readonly note = html('p', { class: 'common-note' });
  private readonly map = new Latest();
  private readonly soon = new Paced(() => this.load(), 60);
  private shown: MapShown | null = null;
  private asked = '';

  constructor(
    into: HTMLElement,
    private readonly client: Client,
    private readonly desk: Desk,
  ) {
    this.steps = new StepField(client, desk, () => this.show());
    this.number = imageField(desk);
    this.opacity.addEventListener('input', () => this.draw());
    const fields = html(
      'div',
      { class: 'common-bar tensors-activation-fields' },
      this.activation.element,
      this.gradient.element,
      this.images.element,
      html('label', { class: 'field' }, 'Image number', this.number),
      html('label', { class: 'field' }, 'Map over image', this.opacity),
    );
    into.append(fields, this.steps.element, this.box, this.note);
  }

  show(): void {
    const chosen = this.chosen();
    if (!chosen.activation) return this.nothing();
    this.fill(chosen);
    this.steps.element.hidden = false;
    this.steps.show(chosen.activation);
    const { mode, worker, image } = this.desk.state();
    const step = this.steps.step();
    const none = 'It was not saved in this mode or by this worker. Choose another mode or worker.';
    if (step === null)
      return this.clear(this.steps.none ? empty('No steps with this activation', none) : loading());
    const question = JSON.stringify([chosen, step, mode, worker, image]);
    if (question === this.asked) return;
    this.asked = question;
    this.soon.tell();
  }

  grown(): void {
    const { activation } = this.chosen();
    if (activation) this.steps.grown(activation);
  }

  close(): void {
    this.map.giveUp();
    this.soon.stop();
    this.steps.close();
  }

  private candidates(): TensorInfo[] {
    return this.desk.list().tensors.filter(isMap);
  }

  // From the URL, with likely defaults: the selected or last activation, and a gradient of its
  // shape.
  private chosen(): { activation: string; gradient: string; images: string } {
    const state = this.desk.state();
    const all = this.candidates();
    const outputs = all.filter(isOutput);
    const selected = outputs.find(({ name }) => name === focused(state));
    const activation =
      state.activation ||
      (selected ?? outputs.filter(({ name }) => /output/.test(name)).at(-1) ?? outputs.at(-1))
        ?.name ||
      '';
    const size = sizeOf(this.desk.info(activation));
    const likely = all.find((info) => isGradient(info) && sizeOf(info) === size)?.name ?? 'none';
    const pictures = this.pictures(activation);
    const images =
      state.images ||
      (pictures.find(({ name }) => /image|input/i.test(name)) ?? pictures[0])?.name ||
      'none';
    return { activation, gradient: state.gradient || likely, images };
  }

  private pictures(activation: string): TensorInfo[] {
    const batch = this.desk.info(activation)?.shape?.[0];
    return this.candidates().filter(({ shape, collections }) => {
      if (
        shape?.length !== 4 ||
        shape[0] !== batch ||
        collections.includes('weights') ||
        collections.includes('gradients')
      )
        return false;
      return [1, 3].includes(shape[1] ?? 0) || [1, 3].includes(shape[3] ?? 0);
    });
  }

  private fill({
    activation,
    gradient,
    images,
  }: {
    activation: string;
    gradient: string;
    images: string;
  }): void {
    const option = ({ name, shape }: TensorInfo): Option => ({
      value: name,
      label: `${name} (${shape?.join('×') ?? ''})`,
    });
    const all = this.candidates();
    const size = sizeOf(this.desk.info(activation));
    this.activation.set(all.filter(isOutput).map(option), activation);
    const same = all.filter((info) => info.name !== activation && sizeOf(info) === size);
    this.gradient.set(
      [{ value: 'none', label: 'None (mean over channels)' }, ...same.map(option)],
      gradient,
    );
    this.images.set(
      [{ value: 'none', label: 'None' }, ...this.pictures(activation).map(option)],
      images,
    );
    if (document.activeElement !== this.number) this.number.value = String(this.desk.state().image);
    this.number.max = String(Math.max(0, (this.desk.info(activation)?.shape?.[0] ?? 1) - 1));
  }

  private nothing(): void {
    this.steps.element.hidden = true;
    this.clear(
      empty(
        'No image activations were saved',
        'An activation map needs the values of an activation with shape (images, channels, height, width). A class activation map also needs the gradient of that activation.',
        'To save the outputs of a convolution, add a collection that matches them and has no reductions.',
      ),
    );
  }

  private clear(...instead: Node[]): void {
    this.shown = null;
    this.box.replaceChildren(...instead);
  }

  private load(): void {
    const { activation, gradient, images } = this.chosen();
    const step = this.steps.step();
    if (step === null) return;
    const { mode, worker, image } = this.desk.state();
    const query = {
      activation,
      gradient: gradient === 'none' ? undefined : gradient,
      step,
      mode,
      worker,
      image,
    };
    this.map.ask(
      (signal) => this.askBoth(query, images, step, signal),
      (shown) => {
        this.box.replaceChildren();
        this.shown = shown;
        this.draw();
        this.note.textContent = noteOf(shown, gradient !== 'none');
      },
      (error) => {
        this.asked = '';
        this.clear(refused(error, () => this.show()));
      },
    );
  }

  private async askBoth(
    query: Record<string, string | number | undefined>,
    images: string,
    step: number,
    signal: AbortSignal,
  ): Promise<Answer<MapShown>> {
    const [map, picture] = await Promise.all([
      this.client.columns<MapHeader>(below(this.desk.run, 'activation_map'), { query, signal }),
      images === 'none'
        ? null
        : askValue(this.client, this.desk, images, step, String(query['image'] ?? 0), signal),
    ]);
    if (!map.ok) return map;
    const { header } = map.value;
    const [rows = 0, columns = 0] = header.shape;
    const image = picture?.ok ? imageOf(picture.value) : null;
    const trouble =
      picture && !picture.ok ? `Could not load the image: ${picture.error.message}.` : '';
    return {
      ok: true,
      value: {
        rows,
        columns,
        values: map.value.column('values'),
        channels: header.channels,
        image,
        trouble,
      },
    };
  }

  private draw(): void {
    if (this.shown) drawActivation(this.box, this.shown, Number(this.opacity.value) / 100);
  }
}

function noteOf({ channels, values, trouble }: MapShown, weighted: boolean): string {
  const how = weighted ? 'each weighted by the mean of its gradient' : 'their mean';
  const empty = Array.from(values).every((value) => !(value > 0));
  const lines = [`${channels} channels, ${how}; scaled to this image's maximum.`];
  if (empty)
    lines.push('All values are zero or negative: no part of the image supports this class.');
  if (trouble) lines.push(trouble);
  return lines.join(' ');
}

// (channels, height, width) or (height, width, channels).
function imageOf(answer: Columns<ValueHeader>): MapShown['image'] {
  const { sliced_shape: shape, dtype } = answer.header;
  if (shape.length !== 3) return null;
  const [a = 0, b = 0, c = 0] = shape;
  const values = answer.column('values');
  const bytes = dtype === 'uint8';
  if (a === 1 || a === 3)
    return {
      rows: b,
      columns: c,
      channels: a,
      bytes,
      at: (k, row, column) => values[(k * b + row) * c + column] ?? NaN,
    };
  return {
    rows: a,
    columns: b,
    channels: Math.min(3, c),
    bytes,
    at: (k, row, column) => values[(row * b + column) * c + k] ?? NaN,
  };
}
