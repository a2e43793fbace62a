// The table of contents next to the page: links to sections, and which one is being read.

import { html } from '../../base/dom';

export interface Entry {
  id: string; // The id of the section.
  title: string;
  group: string;
}

export class Contents {
  readonly element = html('nav', { class: 'profiler-contents', 'aria-label': 'Sections' });
  private links = new Map<string, HTMLAnchorElement>();
  private watch: IntersectionObserver | null = null;

  // address: the URL of the section.
  constructor(private readonly address: (id: string) => string) {}

  set(entries: readonly Entry[], within: HTMLElement): void {
    this.close();
    this.links = new Map();
    this.element.replaceChildren();
    let group: string | null = null;
    let list = html('ul');
    for (const entry of entries) {
      if (entry.group !== group) {
        group = entry.group;
        list = html('ul');
        if (group) this.element.append(html('p', {}, group));
        this.element.append(list);
      }
      const link = html('a', { href: this.address(entry.id) }, entry.title);
      this.links.set(entry.id, link);
      list.append(html('li', {}, link));
    }
    this.follow(within);
  }

  close(): void {
    this.watch?.disconnect();
    this.watch = null;
  }

  // The first section that is visible in the upper part of the window.
  private follow(within: HTMLElement): void {
    const visible = new Set<string>();
    this.watch = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        }
        const read = [...this.links.keys()].find((id) => visible.has(id));
        for (const [id, link] of this.links) {
          if (id === read) link.setAttribute('aria-current', 'true');
          else link.removeAttribute('aria-current');
        }
      },
      { rootMargin: '-15% 0px -60% 0px' },
    );
    for (const id of this.links.keys()) {
      const section = within.querySelector(`#${CSS.escape(id)}`);
      if (section) this.watch.observe(section);
    }
  }
}
