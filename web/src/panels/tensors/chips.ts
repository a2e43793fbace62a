// The selected tensors: which one is shown in detail, and a button to remove each.

import { html } from '../../base/dom';
import { refill } from '../../base/refill';
import type { Desk } from './state';

interface Holder extends Desk {
  remove: (tensor: string) => void;
}

export class Chips {
  readonly element = html('div', {
    class: 'tensors-chips',
    role: 'group',
    'aria-label': 'Selected tensors',
  });

  private drawn = '';

  constructor(private readonly desk: Holder) {}

  // one: the tab shows one tensor, so one chip is pressed.
  show(one: boolean): void {
    const { tensors, focus } = this.desk.state();
    // Rebuilt only if something changed: one of them may have the focus.
    const key = JSON.stringify([
      one,
      tensors,
      focus,
      tensors.map((tensor) => this.desk.info(tensor)?.shape),
    ]);
    if (key === this.drawn) return;
    this.drawn = key;
    refill(
      this.element,
      ...tensors.map((tensor, i) => {
        const info = this.desk.info(tensor);
        const shape = info?.shape?.length ? ` ${info.shape.join('×')}` : '';
        const name = html(
          'button',
          {
            type: 'button',
            class: 'tensors-chip-name',
            title: `${tensor}${info ? `: ${info.dtype}${shape}` : ''}`,
          },
          tensor,
        );
        const chosen = one && i === focus;
        if (one && tensors.length > 1) {
          name.setAttribute('aria-pressed', String(chosen));
          name.addEventListener('click', () =>
            this.desk.change({ focus: i, slice: '', view: '' }, true),
          );
        } else {
          name.addEventListener('click', () =>
            this.desk.change({ tensors: [tensor], focus: 0 }, true),
          );
        }
        const swatch = html('span', { class: 'tensors-swatch', 'aria-hidden': 'true' });
        const chip = html(
          'span',
          { class: `tensors-chip c${i % 8}${chosen && tensors.length > 1 ? ' chosen' : ''}` },
          swatch,
          name,
        );
        if (tensors.length > 1) {
          const away = html(
            'button',
            { type: 'button', class: 'tensors-away', 'aria-label': `Remove ${tensor}` },
            '×',
          );
          away.addEventListener('click', () => this.desk.remove(tensor));
          chip.append(away);
        }
        return chip;
      }),
    );
  }
}
