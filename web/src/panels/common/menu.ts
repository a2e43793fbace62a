// A button that opens a few choices. Arrow keys move, Escape closes.

import { html } from '../../base/dom';

export interface MenuItem {
  label: string;
  act: () => void;
}

export class Menu {
  readonly element = html('span', { class: 'common-menu' });
  private readonly list = html('span', { class: 'common-menu-list', role: 'menu', hidden: '' });

  constructor(
    private readonly button: HTMLButtonElement,
    items: readonly MenuItem[],
  ) {
    button.setAttribute('aria-haspopup', 'menu');
    button.setAttribute('aria-expanded', 'false');
    this.list.setAttribute('aria-label', button.getAttribute('aria-label') ?? '');
    this.list.append(...items.map((item) => this.item(item)));
    this.element.append(button, this.list);
    button.addEventListener('click', () => this.open(this.list.hidden));
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.element.addEventListener('focusout', (event) => {
      if (!this.element.contains(event.relatedTarget as Node | null)) this.open(false);
    });
  }

  private item({ label, act }: MenuItem): HTMLElement {
    const made = html('button', { type: 'button', role: 'menuitem', tabindex: -1 }, label);
    made.addEventListener('click', () => {
      this.open(false);
      this.button.focus();
      act();
    });
    return made;
  }

  private open(open: boolean): void {
    if (open !== this.list.hidden) return;
    this.list.hidden = !open;
    this.button.setAttribute('aria-expanded', String(open));
    if (open) (this.list.firstElementChild as HTMLElement | null)?.focus();
  }

  private key(event: KeyboardEvent): void {
    if (this.list.hidden) return;
    const items = [...this.list.children] as HTMLElement[];
    const now = items.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowDown: (now + 1) % items.length,
      ArrowUp: (now + items.length - 1) % items.length,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    if (to !== undefined) items[to]?.focus();
    else if (event.key === 'Escape') {
      this.open(false);
      this.button.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
