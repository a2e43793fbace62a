// The flame graph of a range, of the window or of the whole run.

import { below, type Client } from '../../../api/client';
import type { Flame } from '../../../api/types';
import { html } from '../../../base/dom';
import { fileName, save } from '../../../plots/plot_files';
import { Latest } from '../../common/latest';
import { loading, refused } from '../../common/states';
import type { FlameChoice } from '../model/choices';
import { type FlameKey, FlameTree } from '../model/flame_tree';
import { onTheme } from '../model/palette';
import type { Range } from '../model/time_window';
import { many, share, span } from '../model/words';
import { FlameDrawing, type FlameLook } from './flame_drawing';
import { link, table } from './table';

const NODES = 600; // More cannot be told apart.
const KEYS: readonly string[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home'];
const HELP = 'Arrow keys move between spans, Enter zooms to one, Escape zooms out.';

export interface FlameOwner {
  run: string; // For the names of files.
  chosen: (choice: FlameChoice) => void;
  search: (name: string) => void; // Finds the spans of that name in the timeline.
  say: (words: string) => void;
  tip: { show: (x: number, y: number, lines: string[]) => void; hide: () => void };
}

export class FlamePane {
  private readonly latest = new Latest();
  private readonly drawing = new FlameDrawing();
  private readonly threads = html('select', {});
  private readonly whole = html('input', { type: 'checkbox' });
  private readonly words = html('input', {
    type: 'search',
    size: 14,
    placeholder: 'Part of a name',
  });
  private readonly found = html('span', { class: 'quiet', role: 'status' });
  private readonly about = html('p', { class: 'quiet flame-about' });
  private readonly graph = html(
    'div',
    { class: 'flame-graph', role: 'application', tabindex: 0, 'aria-label': 'Flame graph' },
    this.drawing.element,
  );
  private readonly list = html('div', {});
  private readonly all = html(
    'details',
    { class: 'flame-list' },
    html('summary', {}, 'As a table'),
    this.list,
  );
  private readonly body = html('div', { class: 'flame-body' });
  private readonly resized: ResizeObserver;
  private readonly stopTheme: () => void;
  private tree = new FlameTree([]);
  private flame: Flame | null = null;
  private look: FlameLook = { focus: 0, current: 0, found: new Set(), searching: false };
  private shown = '';
  private width = 0;

  constructor(
    private readonly into: HTMLElement,
    private readonly client: Client,
    private readonly run: string,
    private readonly owner: FlameOwner,
  ) {
    into.append(this.tools(), this.body);
    this.body.append(loading());
    this.listen();
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(into);
    this.stopTheme = onTheme(() => this.draw());
  }

  // range: what is seen or selected; end: of the run.
  show(choice: FlameChoice, range: Range, end: number, again = false): void {
    const [from, to] = choice.whole ? [0, end] : range;
    this.whole.checked = choice.whole;
    this.threads.value = choice.by;
    const key = `${from} ${to} ${choice.by}`;
    if (key === this.shown && !again) return;
    this.shown = key;
    const track = /^track:(\d+)$/.exec(choice.by)?.[1];
    const query = {
      from,
      to,
      limit: NODES,
      by: track ? 'thread' : choice.by,
      ...(track ? { tracks: track } : {}),
    };
    this.latest.ask<Flame>(
      (signal) => this.client.get(below(this.run, 'timeline/flame'), { query, signal }),
      (flame) => this.answered(flame, choice),
      (error) => {
        const repeat = (): void => this.show(choice, range, end, true);
        this.body.replaceChildren(refused(error, repeat));
      },
    );
  }

  close(): void {
    this.latest.giveUp();
    this.resized.disconnect();
    this.stopTheme();
    this.owner.tip.hide();
  }

  private tools(): HTMLElement {
    const labelled = (words: string, input: HTMLElement): HTMLElement =>
      html('label', { class: 'field' }, words, input);
    const button = (words: string, act: () => void): HTMLElement => {
      const made = html('button', { type: 'button', class: 'button small' }, words);
      made.addEventListener('click', act);
      return made;
    };
    const change = (): void =>
      this.owner.chosen({ by: this.threads.value, whole: this.whole.checked });
    this.threads.addEventListener('change', change);
    this.whole.addEventListener('change', change);
    this.words.addEventListener('input', () => this.search());
    const name = (): string => fileName(`${this.owner.run} flame graph`);
    return html(
      'div',
      { class: 'flame-tools' },
      labelled('Stacks', this.threads),
      html('label', { class: 'flame-check' }, this.whole, ' Whole run'),
      labelled('Highlight', this.words),
      this.found,
      button('Zoom out', () => this.zoom(0)),
      button('SVG', () =>
        save(new Blob([this.drawing.file()], { type: 'image/svg+xml' }), `${name()}.svg`),
      ),
      button('Stacks as text', () =>
        save(new Blob([this.tree.collapsed()], { type: 'text/plain' }), `${name()}.txt`),
      ),
    );
  }

  private listen(): void {
    const { graph } = this;
    const nodeAt = (event: Event): number | null => {
      const box = event.target instanceof Element ? event.target.closest('[data-node]') : null;
      return box ? Number(box.getAttribute('data-node')) : null;
    };
    graph.addEventListener('click', (event) => {
      const node = nodeAt(event);
      if (node !== null) this.zoom(node);
    });
    graph.addEventListener('pointermove', (event) => {
      const node = nodeAt(event);
      if (node === null) this.owner.tip.hide();
      else this.owner.tip.show(event.clientX, event.clientY, this.lines(node));
    });
    graph.addEventListener('pointerleave', () => this.owner.tip.hide());
    graph.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (KEYS.includes(event.key))
        this.go(this.tree.move(this.look.current, event.key as FlameKey, this.drawing.boxes));
      else if (event.key === 'Enter') this.zoom(this.look.current);
      else if (event.key === 'Escape' && this.look.focus !== 0) this.zoom(0);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  private answered(flame: Flame, choice: FlameChoice): void {
    const before = this.tree.title(this.look.focus);
    this.flame = flame;
    this.tree = new FlameTree(flame.nodes);
    this.fillThreads(choice);
    // The same stack, if it is still there.
    const same = flame.nodes.findIndex((_, i) => this.tree.title(i) === before);
    const focus = Math.max(0, same);
    this.look = { ...this.look, focus, current: focus };
    if (flame.nodes.length < 2) {
      this.body.replaceChildren(html('p', { class: 'timeline-hint' }, 'No spans in this range.'));
      return;
    }
    const { total } = flame.nodes[0] ?? { total: 0 };
    this.about.textContent =
      `${span(total)} in ${span(flame.to - flame.from)} of the run, all threads together.` +
      (flame.merged > 0 ? ` ${many(flame.merged, 'small node')} put together as others.` : '') +
      ` ${HELP}`;
    this.body.replaceChildren(this.about, this.graph, this.all);
    this.width = 0;
    this.fit();
    this.search();
    this.fillTable();
  }

  private fillThreads({ by }: FlameChoice): void {
    const option = (value: string, words: string): HTMLElement => html('option', { value }, words);
    this.threads.replaceChildren(
      option('thread', 'by thread'),
      option('process', 'by process'),
      option('all', 'all together'),
      ...(this.flame?.threads ?? []).map(({ host, process, name, tracks }) =>
        option(`track:${tracks[0] ?? 0}`, `${host} › ${process} › ${name}`),
      ),
    );
    this.threads.value = by;
  }

  private fit(): void {
    const width = Math.floor(this.graph.clientWidth);
    if (width < 20 || width === this.width) return;
    this.width = width;
    this.draw();
  }

  private draw(): void {
    if (this.width > 0) this.drawing.draw(this.tree, this.look, this.width);
  }

  private lines(node: number): string[] {
    const { name, kind, total, self, count } = this.tree.nodes[node] ?? {
      name: '',
      kind: 'span',
      total: 0,
      self: 0,
      count: 0,
    };
    const all = this.tree.nodes[0]?.total ?? 0;
    const around = this.tree.nodes[this.look.focus];
    const shares = [`${share(total, all)} of everything`];
    if (this.look.focus !== 0 && around)
      shares.push(`${share(total, around.total)} of ${around.name}`);
    const lines = [
      name || '(no name)',
      `Total ${span(total)}, self ${span(self)}, ${many(count, 'span')}`,
      shares.join(', '),
    ];
    if (kind === 'other') lines.push('Small nodes; zoom to what is above them for more.');
    return lines;
  }

  // Moves the keyboard to a node.
  private go(node: number): void {
    this.look = { ...this.look, current: node };
    this.draw();
    this.reveal(node);
    this.owner.say(this.lines(node).join(', '));
  }

  private zoom(node: number): void {
    this.owner.tip.hide();
    this.look = { ...this.look, focus: node, current: node };
    this.draw();
    this.reveal(node);
    this.owner.say(`Zoomed to ${this.lines(node).join(', ')}`);
  }

  private reveal(node: number): void {
    const top = this.graph.offsetTop + this.drawing.top(node);
    const { scrollTop, clientHeight } = this.into;
    if (top < scrollTop || top + 40 > scrollTop + clientHeight)
      this.into.scrollTop = top - clientHeight / 2;
  }

  private search(): void {
    const found = this.tree.find(this.words.value);
    const searching = this.words.value.trim() !== '';
    this.look = { ...this.look, found, searching };
    const all = this.tree.nodes[0]?.total ?? 0;
    this.found.textContent = searching
      ? `${many(found.size, 'node')}, ${share(this.tree.timeOf(found), all)}`
      : '';
    this.draw();
  }

  private fillTable(): void {
    const all = this.tree.nodes[0]?.total ?? 0;
    const rows = this.tree.nodes.map((node, i) => ({ ...node, i })).slice(1);
    table(this.list, rows, {
      caption: 'Nodes of the flame graph',
      sorted: { column: 3, ascending: false },
      columns: [
        {
          title: 'Name',
          value: (row) => row.name,
          cell: (row) =>
            row.kind === 'span' ? link(row.name, () => this.owner.search(row.name)) : row.name,
        },
        {
          title: 'Within',
          value: (row) => (row.parent === null ? '' : this.tree.title(row.parent)),
          cell: (row) => (row.parent ? this.tree.title(row.parent) : '–'),
        },
        {
          title: 'Total',
          numeric: true,
          value: (row) => row.total,
          cell: (row) => span(row.total),
        },
        { title: 'Self', numeric: true, value: (row) => row.self, cell: (row) => span(row.self) },
        {
          title: 'Share',
          numeric: true,
          value: (row) => row.total,
          cell: (row) => share(row.total, all),
        },
        {
          title: 'Spans',
          numeric: true,
          value: (row) => row.count,
          cell: (row) => row.count.toLocaleString('en'),
        },
      ],
    });
  }
}
