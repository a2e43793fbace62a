// The tooltip at the pointer.

import { html } from '../../base/dom';

export class Tip {
  readonly element = html('div', { class: 'timeline-tip', 'aria-hidden': 'true', hidden: '' });

  show(x: number, y: number, lines: string[]): void {
    const [first = '', ...rest] = lines;
    this.element.replaceChildren(
      html('strong', {}, first),
      ...rest.map((line) => html('div', {}, line)),
    );
    this.element.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = x + 14 + width > window.innerWidth ? x - 14 - width : x + 14;
    this.element.style.left = `${Math.max(4, left)}px`;
    this.element.style.top = `${Math.max(4, Math.min(y + 16, window.innerHeight - height - 4))}px`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}
