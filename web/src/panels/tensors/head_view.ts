// One attention head, enlarged: which token looks at which.

import type { Client } from '../../api/client';
import { html } from '../../base/dom';
import { figure } from '../../base/format';
import { button } from '../common/fields';
import { Latest } from '../common/latest';
import { loading, refused } from '../common/states';
import { headId } from './attention_choice';
import { type Layer, shareWords } from './head_grid';
import type { Axis } from './slices';
import type { Desk } from './state';
import { askValue, MOST_VALUES } from './value';
import { ValueImage } from './value_image';

export interface ShownHead {
  readonly tensor: string;
  readonly head: number;
  readonly step: number;
  readonly layer: Layer;
  readonly tokens: readonly string[];
}

export class HeadView {
  readonly element = html('section', { class: 'attention-alone', hidden: '' });
  private readonly latest = new Latest();
  private image: ValueImage | null = null;
  private asked = '';

  constructor(
    private readonly client: Client,
    private readonly desk: Desk,
  ) {}

  hide(): void {
    this.latest.giveUp();
    this.image?.destroy();
    this.image = null;
    this.asked = '';
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  show(shown: ShownHead): void {
    const { tensor, head, step, layer, tokens } = shown;
    const { heads } = layer.answer.header;
    if (head >= heads.length) return this.hide();
    const { mode, worker } = this.desk.state();
    const question = JSON.stringify([tensor, head, step, layer.sample, mode, worker, tokens]);
    if (question === this.asked) return;
    const again = this.asked !== '';
    this.asked = question;
    this.element.hidden = false;
    if (!again) this.element.replaceChildren(loading());
    this.latest.ask(
      (signal) => askValue(this.client, this.desk, tensor, step, this.sliceOf(shown), signal),
      (answer) => {
        const [rows = 0, columns = 0] = answer.header.sliced_shape;
        this.draw(shown, rows, columns, answer.column('values'));
      },
      (error) => {
        this.asked = '';
        this.element.replaceChildren(refused(error, () => this.show(shown)));
      },
    );
  }

  private everyOf({ layer }: ShownHead): number {
    const { queries, keys } = layer.answer.header;
    return Math.max(1, Math.ceil(Math.sqrt((queries * keys) / MOST_VALUES)));
  }

  private sliceOf(shown: ShownHead): string {
    const { head, layer } = shown;
    const every = this.everyOf(shown);
    const { queries, keys } = layer.answer.header;
    // Without a batch there are three axes.
    const batch = this.desk.info(layer.name)?.shape?.length === 3 ? [] : [layer.sample];
    return [...batch, head, `0:${queries}:${every}`, `0:${keys}:${every}`].join(',');
  }

  private draw(shown: ShownHead, rows: number, columns: number, values: ArrayLike<number>): void {
    const { tensor, head, layer, tokens } = shown;
    const { heads, causal, queries, keys } = layer.answer.header;
    const about = heads[head];
    const held = this.element.contains(document.activeElement)
      ? document.activeElement?.getAttribute('aria-label')
      : null;
    this.image?.destroy();
    const place = html('div');
    const go = (to: number): void => this.desk.change({ view: headId(tensor, to) }, true);
    const previous = button('‹', () => go(head - 1), { 'aria-label': 'Previous head' });
    const next = button('›', () => go(head + 1), { 'aria-label': 'Next head' });
    previous.disabled = head === 0;
    next.disabled = head === heads.length - 1;
    const close = button('Close', () => this.desk.change({ view: '' }, true));
    const words = about
      ? `Entropy ${figure(about.entropy)} bits, ${shareWords(about.entropy_share)} of the largest possible. ` +
        `Most weight on key ${named(tokens, about.top_key)}: ${shareWords(about.top_key_weight)}.` +
        (about.pattern === 'mixed' ? '' : ` This head is marked: ${about.pattern}.`) +
        (causal ? ' Queries see no later keys.' : '')
      : '';
    const step = this.everyOf(shown);
    const axis = (size: number, length: number): Axis => ({
      size,
      length,
      start: 0,
      step,
      single: false,
    });
    this.element.replaceChildren(
      html(
        'div',
        { class: 'tensors-chart-head' },
        html('h2', {}, `${tensor}, head ${head}`),
        html('span', { class: 'row' }, previous, next, close),
      ),
      html('p', { class: 'common-note' }, words),
      place,
      html('p', { class: 'common-note' }, 'Rows are queries, columns are keys.'),
    );
    this.image = new ValueImage(
      place,
      `${tensor}, head ${head}`,
      { rows, columns, value: (row, column) => values[row * columns + column] ?? NaN },
      axis(queries, rows),
      axis(keys, columns),
      tokens.length === keys
        ? {
            row: 'query',
            column: 'key',
            rows: queries === keys ? tokens : [], // Of cross-attention only the keys are known.
            columns: tokens,
          }
        : null,
    );
    if (held)
      this.element.querySelector<HTMLElement>(`[aria-label="${CSS.escape(held)}"]`)?.focus();
  }
}

const named = (tokens: readonly string[], place: number): string =>
  tokens[place] === undefined ? String(place) : `${place} “${tokens[place]}”`;
