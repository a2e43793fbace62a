// Small pictures of all attention heads: a row for each layer, a column for each head.

import type { Columns } from '../../api/columns';
import { html } from '../../base/dom';
import { onThemeChange, palette } from '../../plots/palette';
import { makeRamp } from '../../plots/ramp';
import { shortNames } from '../../plots/heat_axes';
import { headId } from './attention_choice';
import { paint, type Picture, rangeOfPicture } from './paint';

export interface AttentionHeader {
  samples: number;
  queries: number;
  keys: number;
  causal: boolean;
  height: number; // Of a small picture.
  width: number;
  heads: Head[];
}

export interface Head {
  entropy: number; // Bits.
  entropy_share: number; // 0 to 1.
  pattern: 'mixed' | 'uniform' | 'one key' | 'no weight' | 'not finite';
  top_key: number;
  top_key_weight: number;
}

export interface Layer {
  readonly name: string;
  readonly sample: number;
  readonly answer: Columns<AttentionHeader>;
}

export const shareWords = (share: number): string => `${Math.round(100 * share)} %`;

function pictureOf({ answer: { header, column } }: Layer, head: number): Picture {
  const { height, width } = header;
  const values = column('weights');
  const begin = head * height * width;
  return {
    rows: height,
    columns: width,
    value: (row, at) => values[begin + row * width + at] ?? NaN,
  };
}

export class HeadGrid {
  readonly element = html('div', { class: 'attention-scroll', tabindex: 0, role: 'group' });
  private cells: { canvas: HTMLCanvasElement; layer: Layer; head: number }[] = [];
  private marked = '';
  private readonly stopTheme = onThemeChange(() => this.paint());

  constructor(private readonly open: (tensor: string, head: number) => void) {
    this.element.setAttribute('aria-label', 'Attention heads');
    this.element.addEventListener('keydown', (event) => this.key(event));
  }

  close(): void {
    this.stopTheme();
  }

  set(layers: readonly Layer[]): void {
    const focused = document.activeElement?.closest<HTMLElement>('[data-head]')?.dataset['head'];
    this.cells = [];
    const names = shortNames(
      layers.map(({ name }) => name),
      150,
    );
    const most = Math.max(0, ...layers.map(({ answer }) => answer.header.heads.length));
    const head = html('tr', {}, html('th', { scope: 'col' }, 'Layer'));
    for (let i = 0; i < most; ++i) head.append(html('th', { scope: 'col' }, `Head ${i}`));
    const body = html('tbody');
    layers.forEach((layer, i) => {
      const title = html('th', { scope: 'row', title: layer.name }, names[i] ?? layer.name);
      const row = html('tr', {}, title);
      layer.answer.header.heads.forEach((one, number) =>
        row.append(html('td', {}, this.cell(layer, one, number))),
      );
      body.append(row);
    });
    this.element.replaceChildren(
      html('table', { class: 'attention-grid' }, html('thead', {}, head), body),
    );
    this.paint();
    this.mark(this.marked);
    if (focused !== undefined) this.cellOf(focused)?.focus();
  }

  // The head that is shown enlarged.
  mark(id: string): void {
    this.marked = id;
    for (const one of this.element.querySelectorAll<HTMLElement>('[data-head]'))
      one.setAttribute('aria-pressed', String(one.dataset['head'] === id));
  }

  private cellOf(id: string): HTMLElement | null {
    return this.element.querySelector(`[data-head="${CSS.escape(id)}"]`);
  }

  private cell(layer: Layer, head: Head, number: number): HTMLElement {
    const canvas = html('canvas', { 'aria-hidden': 'true' });
    this.cells.push({ canvas, layer, head: number });
    const odd = head.pattern !== 'mixed';
    const words = odd ? `, ${head.pattern}` : '';
    const button = html(
      'button',
      {
        type: 'button',
        class: `attention-head${odd ? ' odd' : ''}`,
        'data-head': headId(layer.name, number),
        'aria-label': `${layer.name}, head ${number}: entropy ${shareWords(head.entropy_share)}${words}`,
        'aria-pressed': 'false',
      },
      canvas,
      html('span', {}, odd ? head.pattern : shareWords(head.entropy_share)),
    );
    button.addEventListener('click', () => this.open(layer.name, number));
    return button;
  }

  // Every head has its own color scale: what matters is where it looks.
  private paint(): void {
    const { dark } = palette();
    for (const { canvas, layer, head } of this.cells) {
      const picture = pictureOf(layer, head);
      const [, high] = rangeOfPicture(picture);
      paint(canvas, picture, makeRamp('sequential', [0, high || 1], dark));
    }
  }

  // Arrow keys go to the head beside, above or below.
  private key(event: KeyboardEvent): void {
    const cell = (event.target as Element).closest('td');
    const row = cell?.parentElement;
    if (!cell || !row) return;
    const place = [...row.children].indexOf(cell);
    const to = {
      ArrowLeft: row.children[place - 1],
      ArrowRight: row.children[place + 1],
      ArrowUp: row.previousElementSibling?.children[place],
      ArrowDown: row.nextElementSibling?.children[place],
    }[event.key];
    const button = to?.querySelector('button');
    if (!button) return;
    event.preventDefault();
    button.focus();
  }
}
