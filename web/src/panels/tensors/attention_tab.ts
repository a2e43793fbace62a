// Attention heads: a row for each layer, a column for each head, and one of them enlarged.

import './attention.css';
import { type Answer, below, type Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import type { TensorInfo } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { Choice, type Option } from '../common/fields';
import { Latest } from '../common/latest';
import { empty, loading, refused } from '../common/states';
import {
  attentionLayers,
  headId,
  headOf,
  isTokens,
  likelyTokens,
  MOST_ATTENTION_LAYERS,
  type Sizes,
  sizesOf,
  tokensOf,
} from './attention_choice';
import { type AttentionHeader, type Layer, HeadGrid } from './head_grid';
import { HeadView } from './head_view';
import { imageField } from './image_field';
import type { Desk, TabView } from './state';
import { StepField } from './step_field';
import { askValue } from './value';

interface Loaded {
  readonly layers: Layer[];
  readonly tokens: readonly string[];
  readonly troubles: readonly string[];
}

export class AttentionTab implements TabView {
  private readonly steps: StepField;
  private readonly number: HTMLInputElement;
  private readonly tokens = new Choice('Tokens', (tokens) => this.desk.change({ tokens }, true));
  private readonly fields: HTMLElement;
  private readonly box = html('div');
  private readonly alone: HeadView;
  private readonly note = html('p', { class: 'common-note', role: 'status' });
  private readonly latest = new Latest();
  private readonly soon = new Paced(() => this.load(), 60);
  private grid: HeadGrid | null = null;
  private loaded: Loaded | null = null;
  private asked = '';

  constructor(
    into: HTMLElement,
    private readonly client: Client,
    private readonly desk: Desk,
  ) {
    this.steps = new StepField(client, desk, () => this.show());
    this.number = imageField(desk);
    this.alone = new HeadView(client, desk);
    this.fields = html(
      'div',
      { class: 'common-bar tensors-activation-fields' },
      html('label', { class: 'field' }, 'Sample number', this.number),
      this.tokens.element,
    );
    into.append(this.fields, this.steps.element, this.alone.element, this.box, this.note);
  }

  show(): void {
    const layers = attentionLayers(this.desk.list().tensors);
    const [first] = layers;
    this.fields.hidden = this.steps.element.hidden = !first;
    if (!first) return this.nothing();
    const { mode, worker, image, view } = this.desk.state();
    const sizes = sizesOf(first);
    const tokens = this.fill(sizes);
    if (document.activeElement !== this.number) this.number.value = String(image);
    this.number.max = String(Math.max(0, sizes.samples - 1));
    this.steps.show(first.name);
    const step = this.steps.step();
    const none = 'They were not saved in this mode or by this worker. Choose another one.';
    if (step === null)
      return this.clear(this.steps.none ? empty('No steps with attention', none) : loading());
    this.enlarge(view, step);
    const names = layers.map(({ name }) => name);
    const question = JSON.stringify([names, tokens, step, mode, worker, image]);
    if (question === this.asked) return;
    this.asked = question;
    this.soon.tell();
  }

  grown(): void {
    const [first] = attentionLayers(this.desk.list().tensors);
    if (first) this.steps.grown(first.name);
  }

  close(): void {
    this.latest.giveUp();
    this.soon.stop();
    this.steps.close();
    this.clear();
  }

  // The tensor that names the tokens; 'none'.
  private fill(sizes: Sizes): string {
    const all = this.desk.list().tensors;
    const fitting = all.filter((info) => isTokens(info, sizes));
    const { tokens } = this.desk.state();
    const wanted = tokens === 'none' || fitting.some(({ name }) => name === tokens) ? tokens : '';
    const chosen = wanted || (likelyTokens(all, sizes)?.name ?? 'none');
    const options: Option[] = fitting.map(({ name }) => ({ value: name, label: name }));
    this.tokens.set([{ value: 'none', label: 'Numbers' }, ...options], chosen);
    this.tokens.show(fitting.length > 0);
    return chosen;
  }

  private enlarge(view: string, step: number): void {
    const head = headOf(view);
    const layer = this.loaded?.layers.find(({ name }) => name === head?.tensor);
    this.grid?.mark(view);
    if (!head || !this.loaded || !layer) return this.alone.hide();
    this.alone.show({ ...head, step, layer, tokens: this.loaded.tokens });
  }

  private nothing(): void {
    this.asked = '';
    this.clear(
      empty(
        'No attention weights were saved',
        'This view needs tensors with "attention" or "attn" in their name or collection, and the shape batch × heads × queries × keys. Models of transformers return them with output_attentions=True; save them with hook.save_tensor().',
      ),
    );
  }

  private clear(...instead: Node[]): void {
    this.grid?.close();
    this.grid = null;
    this.loaded = null;
    this.alone.hide();
    this.note.textContent = '';
    this.box.replaceChildren(...instead);
  }

  private load(): void {
    const step = this.steps.step();
    const layers = attentionLayers(this.desk.list().tensors);
    const [first] = layers;
    if (step === null || !first) return;
    const shown = layers.slice(0, MOST_ATTENTION_LAYERS);
    this.latest.ask(
      (signal) => this.askLayers(shown, sizesOf(first), step, signal),
      (loaded) => {
        this.loaded = loaded;
        if (!this.grid) {
          this.grid = new HeadGrid((tensor, head) =>
            this.desk.change({ view: headId(tensor, head) }, true),
          );
          this.box.replaceChildren(this.grid.element);
        }
        this.grid.set(loaded.layers);
        this.note.textContent = noteOf(loaded, layers.length);
        this.enlarge(this.desk.state().view, step);
      },
      (error) => {
        this.asked = '';
        this.clear(refused(error, () => this.show()));
      },
    );
  }

  // Layers that were not saved at this step, or are something else, are left out, unless all are.
  private async askLayers(
    layers: readonly TensorInfo[],
    sizes: Sizes,
    step: number,
    signal: AbortSignal,
  ): Promise<Answer<Loaded>> {
    const { mode, worker, image } = this.desk.state();
    const sample = Math.min(image, sizes.samples - 1);
    const ask = ({ name }: TensorInfo): Promise<Answer<Columns<AttentionHeader>>> =>
      this.client.columns<AttentionHeader>(below(this.desk.run, 'attention'), {
        query: { tensor: name, step, mode, worker, sample },
        signal,
      });
    const named = this.tokens.value;
    const [tokens, ...answers] = await Promise.all([
      named === 'none' ? null : askValue(this.client, this.desk, named, step, '', signal),
      ...layers.map(ask),
    ]);
    const found: Layer[] = [];
    const troubles: string[] = [];
    answers.forEach((answer, i) => {
      const name = layers[i]?.name ?? '';
      if (answer.ok) found.push({ name, sample, answer: answer.value });
      else troubles.push(`${name} is left out: ${answer.error.message}.`);
    });
    const [first] = answers;
    if (found.length === 0 && first && !first.ok) return first;
    if (tokens && !tokens.ok) troubles.push(`Could not load ${named}: ${tokens.error.message}.`);
    const saved = tokens?.ok
      ? (tokens.value.header.strings ?? Array.from(tokens.value.column('values')))
      : [];
    return { ok: true, value: { layers: found, tokens: tokensOf(saved, sizes, sample), troubles } };
  }
}

function noteOf({ layers, troubles }: Loaded, all: number): string {
  const heads = layers.flatMap(({ answer }) => answer.header.heads);
  const useless = heads.filter(({ pattern }) => pattern !== 'mixed').length;
  const words = [
    `${layers.length === all ? all : `${layers.length} of ${all}`} layers, ${heads.length} heads.`,
    useless === 0
      ? 'None of them is uniform or looks at one key only.'
      : `${useless} of them marked: uniform (all keys get the same), one key (the same key for every query), or without usable weights.`,
    'The number is the entropy as a share of the largest possible: 0 is one key, 100 % is all keys alike.',
  ];
  return [...words, ...troubles].join(' ');
}
