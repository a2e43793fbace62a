// The tensor tree: only visible rows are elements; one of them has the keyboard focus.
//
// Keys of the ARIA tree pattern: arrows, Home, End, letters; Enter shows one tensor, Space adds or
// removes it.

import { html } from '../../base/dom';
import { type Node, type Row, type Search, searchFor, type Tree } from '../common/tree';

const ROW = 28;
const MARGIN = 10; // Extra rows above and below the visible ones.
const TYPING = 800; // Milliseconds within which typed letters form one word.

export interface TreeAsks {
  select: (tensor: string, add: boolean) => void;
  isSelected: (tensor: string) => boolean;
  searched: (text: string) => void;
}

export class TreeView {
  readonly element: HTMLElement;
  private readonly space = html('div', { class: 'tensors-space', role: 'presentation' });
  private readonly box: HTMLElement;
  private readonly note = html('p', { class: 'tensors-found', role: 'status' });
  private readonly input = html('input', {
    type: 'search',
    placeholder: 'Text or regular expression',
    spellcheck: 'false',
  });
  private rows: Row[] = [];
  private search: Search = null;
  private active = 0;
  private typed = '';
  private typedAt = 0;
  private frame = 0;
  private readonly resized: ResizeObserver;

  constructor(
    private readonly tree: Tree,
    private readonly asks: TreeAsks,
  ) {
    this.box = html(
      'div',
      {
        class: 'tensors-tree',
        role: 'tree',
        tabindex: 0,
        'aria-label': 'Tensors',
        'aria-multiselectable': 'true',
      },
      this.space,
    );
    const label = html('label', { class: 'field' }, html('span', {}, 'Find tensors'), this.input);
    this.element = html('div', { class: 'tensors-finder' }, label, this.note, this.box);
    this.input.addEventListener('input', () => {
      this.searchText(this.input.value);
      asks.searched(this.input.value);
    });
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') this.box.focus();
    });
    this.box.addEventListener('scroll', () => this.drawSoon());
    this.box.addEventListener('keydown', (event) => this.key(event));
    this.box.addEventListener('click', (event) => this.clicked(event));
    this.resized = new ResizeObserver(() => this.drawSoon());
    this.resized.observe(this.box);
  }

  // The tensors or the selection have changed.
  refresh(): void {
    const at = this.rows[this.active]?.node.key;
    this.rows = this.tree.rows(this.search);
    const again = this.rows.findIndex(({ node }) => node.key === at);
    this.active = Math.max(0, again >= 0 ? again : Math.min(this.active, this.rows.length - 1));
    this.space.style.height = `${this.rows.length * ROW}px`;
    this.tellFound();
    this.drawSoon();
  }

  // Opens the branches above a tensor and scrolls to it.
  reveal(tensor: string): void {
    if (!this.search) this.tree.reveal(tensor);
    this.refresh();
    const at = this.rows.findIndex(({ node, open }) => !open && node.tensor?.name === tensor);
    if (at >= 0) this.goTo(at);
  }

  // Searches without a word to those who asked for it.
  setSearch(text: string): void {
    if (this.input.value === text) return;
    this.input.value = text;
    this.searchText(text);
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    this.resized.disconnect();
  }

  private searchText(text: string): void {
    this.search = searchFor(text);
    this.active = 0;
    this.box.scrollTop = 0;
    this.refresh();
  }

  private tellFound(): void {
    this.note.hidden = !this.search;
    if (!this.search) return;
    const count = this.rows.length;
    const found = count === 0 ? 'No tensors match' : `${count.toLocaleString('en')} found`;
    this.note.textContent = this.search.problem ? `${this.search.problem}: ${found}` : found;
    this.note.classList.toggle('warning', this.search.problem !== '');
  }

  private drawSoon(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - MARGIN);
    const last = Math.min(
      this.rows.length,
      first + Math.ceil(this.box.clientHeight / ROW) + 2 * MARGIN,
    );
    const made: HTMLElement[] = [];
    for (let i = first; i < last; ++i) {
      const row = this.rows[i];
      if (row) made.push(this.item(row, i));
    }
    this.space.replaceChildren(...made);
    const inSight = this.active >= first && this.active < last;
    if (inSight) this.box.setAttribute('aria-activedescendant', `tensors-row-${this.active}`);
    else this.box.removeAttribute('aria-activedescendant');
  }

  private item(row: Row, at: number): HTMLElement {
    const { node } = row;
    const item = html('div', {
      role: 'treeitem',
      id: `tensors-row-${at}`,
      class: at === this.active ? 'tensors-row active' : 'tensors-row',
      'data-row': at,
      'aria-level': node.level,
      'aria-posinset': row.place,
      'aria-setsize': row.siblings,
      title: node.tensor?.name ?? node.label,
    });
    item.style.top = `${at * ROW}px`;
    item.style.paddingLeft = `${0.4 + (node.level - 1) * 0.9}rem`;
    if (node.tensor) {
      const selected = this.asks.isSelected(node.tensor.name);
      item.setAttribute('aria-selected', String(selected));
      item.append(
        html('span', { class: 'tensors-box', 'aria-hidden': 'true' }, selected ? '✓' : ''),
      );
      item.append(html('span', { class: 'tensors-name' }, node.label));
      item.append(html('span', { class: 'tensors-shape', 'aria-hidden': 'true' }, shapeText(node)));
    } else {
      item.setAttribute('aria-expanded', String(row.open));
      item.append(
        html('span', { class: 'tensors-twist', 'aria-hidden': 'true' }, row.open ? '▾' : '▸'),
      );
      item.append(html('span', { class: 'tensors-name' }, node.label));
      item.append(html('span', { class: 'tensors-count' }, node.count.toLocaleString('en')));
    }
    return item;
  }

  private clicked(event: MouseEvent): void {
    const target = event.target as Element;
    const item = target.closest<HTMLElement>('[data-row]');
    const row = this.rows[Number(item?.dataset['row'] ?? -1)];
    if (!row) return;
    this.active = Number(item?.dataset['row']);
    const add =
      event.ctrlKey || event.metaKey || event.shiftKey || target.classList.contains('tensors-box');
    this.choose(row, add);
  }

  private choose(row: Row, add: boolean): void {
    if (row.node.tensor) this.asks.select(row.node.tensor.name, add);
    else this.tree.toggle(row.node, !row.open);
    this.refresh();
  }

  private goTo(at: number): void {
    this.active = Math.max(0, Math.min(this.rows.length - 1, at));
    const top = this.active * ROW;
    const { scrollTop, clientHeight } = this.box;
    if (top < scrollTop) this.box.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight) this.box.scrollTop = top + ROW - clientHeight;
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    const row = this.rows[this.active];
    if (!row || event.altKey || ((event.ctrlKey || event.metaKey) && event.key.length > 1)) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 1);
    const moves: Record<string, number> = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.rows.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) this.goTo(to);
    else if (event.key === 'ArrowRight') this.inward(row);
    else if (event.key === 'ArrowLeft') this.outward(row);
    else if (event.key === 'Enter') this.choose(row, false);
    else if (event.key === ' ') this.choose(row, true);
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) this.typeAhead(event.key);
    else return;
    event.preventDefault();
  }

  private inward(row: Row): void {
    if (row.node.tensor) return;
    if (row.open) this.goTo(this.active + 1);
    else this.choose(row, false);
  }

  private outward(row: Row): void {
    if (row.open) this.choose(row, false);
    else if (row.parent >= 0) this.goTo(row.parent);
  }

  private typeAhead(letter: string): void {
    const now = performance.now();
    this.typed =
      now - this.typedAt < TYPING ? this.typed + letter.toLowerCase() : letter.toLowerCase();
    this.typedAt = now;
    const from = this.typed.length > 1 ? this.active : this.active + 1;
    for (let i = 0; i < this.rows.length; ++i) {
      const at = (from + i) % this.rows.length;
      if (this.rows[at]?.node.label.toLowerCase().startsWith(this.typed)) return this.goTo(at);
    }
  }
}

function shapeText(node: Node): string {
  const shape = node.tensor?.shape;
  return shape && shape.length > 0 ? shape.join('×') : '';
}
