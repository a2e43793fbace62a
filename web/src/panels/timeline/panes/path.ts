// The critical path of a step: what its duration consists of, and what steps wait for.

import { below, type Client } from '../../../api/client';
import type { StepPath, StepPiece, StepWaits } from '../../../api/types';
import { html } from '../../../base/dom';
import { Latest } from '../../common/latest';
import { loading, refused } from '../../common/states';
import type { StepChoice } from '../model/choices';
import { many, moment, share, span } from '../model/words';
import type { TrackTitle } from './selection';
import { link, table } from './table';

const LIMIT = 150; // Pieces; shorter ones are put together.

export interface PathOwner {
  title: TrackTitle;
  chosen: (choice: StepChoice) => void;
  open: (piece: StepPiece) => void;
  frame: (from: number, to: number) => void; // Zooms the timeline.
  mark: (path: StepPath | null) => void; // Draws it in the timeline.
  search: (name: string) => void;
}

export class PathPane {
  private readonly path = new Latest();
  private readonly waits = new Latest();
  private readonly lists = html('select', { 'aria-label': 'Mode and process' });
  private readonly step = html('input', { type: 'number', min: 0, step: 1, class: 'path-step' });
  private readonly steps = html('span', { class: 'quiet' });
  private readonly body = html('div', { class: 'path-body' }, loading());
  private readonly usual = html('section', { class: 'path-usual' });
  private readonly tools: HTMLElement;
  private shown = '';
  private median = '';
  private found: StepPath | null = null;

  constructor(
    into: HTMLElement,
    private readonly client: Client,
    private readonly run: string,
    private readonly owner: PathOwner,
  ) {
    this.tools = this.makeTools();
    into.append(this.tools, this.body, this.usual);
  }

  show(choice: StepChoice, events: number, again = false): void {
    const key = JSON.stringify([choice, events]);
    if (key === this.shown && !again) return this.owner.mark(this.found);
    this.shown = key;
    const query = {
      limit: LIMIT,
      ...(choice.step === null ? {} : { step: choice.step }),
      ...(choice.mode ? { mode: choice.mode } : {}),
      ...(choice.process ? { node: choice.process } : {}),
    };
    this.path.ask<StepPath>(
      (signal) => this.client.get(below(this.run, 'timeline/path'), { query, signal }),
      (path) => this.answered(path),
      (error) => {
        this.found = null;
        this.owner.mark(null);
        // Other steps can be chosen if there are any.
        this.tools.hidden = this.lists.options.length === 0;
        const repeat = (): void => this.show(choice, events, true);
        this.body.replaceChildren(
          error.status === 404
            ? html('p', { class: 'timeline-hint', role: 'status' }, missing(error.message))
            : refused(error, repeat),
        );
      },
    );
  }

  close(): void {
    this.path.giveUp();
    this.waits.giveUp();
  }

  private makeTools(): HTMLElement {
    const button = (words: string, act: (path: StepPath) => void): HTMLElement => {
      const made = html('button', { type: 'button', class: 'button small' }, words);
      made.addEventListener('click', () => {
        if (this.found) act(this.found);
      });
      return made;
    };
    const choose = (path: StepPath, step: number): void =>
      this.owner.chosen({ step, mode: path.mode, process: path.node });
    this.step.addEventListener('change', () => {
      if (this.found && this.step.value !== '') choose(this.found, Number(this.step.value));
    });
    this.lists.addEventListener('change', () => {
      const [mode = '', process = ''] = this.lists.value.split('\n');
      this.owner.chosen({ step: null, mode, process });
    });
    return html(
      'div',
      { class: 'flame-tools' },
      html('span', { class: 'field' }, this.lists),
      html('label', { class: 'field' }, 'Step', this.step),
      this.steps,
      button('Slowest', (path) => {
        const list = listOf(path);
        if (list) choose(path, list.slowest.step);
      }),
      button('Zoom to step', ({ start, duration }) => this.owner.frame(start, start + duration)),
    );
  }

  private answered(path: StepPath): void {
    this.found = path;
    this.owner.mark(path);
    this.tools.hidden = false;
    this.lists.replaceChildren(
      ...path.steps.map(({ mode, node }) =>
        html('option', { value: `${mode}\n${node}` }, `${mode} · ${node}`),
      ),
    );
    this.lists.value = `${path.mode}\n${path.node}`;
    this.lists.hidden = path.steps.length < 2;
    this.step.value = String(path.step);
    const list = listOf(path);
    this.steps.textContent = list ? `of ${list.first} to ${list.last}` : '';
    const pieces = html('div', {});
    this.fillPieces(pieces, path);
    this.body.replaceChildren(
      html(
        'h2',
        {},
        `Step ${path.step} took ${span(path.duration)}`,
        html('span', { class: 'quiet' }, ` at ${moment(path.start, 1000)}`),
      ),
      bar(path.kinds.map(({ kind, time, share: part }) => ({ kind, part, words: span(time) }))),
      notes(path.notes),
      pieces,
    );
    this.loadWaits(path);
  }

  private fillPieces(into: HTMLElement, path: StepPath): void {
    table(into, path.pieces, {
      caption: `What step ${path.step} consists of`,
      columns: [
        {
          title: 'Start',
          numeric: true,
          value: (one) => one.start,
          cell: (one) => `+${span(one.start - path.start)}`,
        },
        {
          title: 'Time',
          numeric: true,
          value: (one) => one.duration,
          cell: (one) => span(one.duration),
        },
        {
          title: 'Share',
          numeric: true,
          value: (one) => one.duration,
          cell: (one) => share(one.duration, path.duration),
        },
        { title: 'Kind', value: (one) => one.kind, cell: (one) => one.kind },
        {
          title: 'Span',
          value: (one) => one.name,
          cell: (one) => {
            const more = one.count > 1 ? ` and ${many(one.count - 1, 'shorter piece')}` : '';
            return html(
              'span',
              {},
              link(one.name, () => this.owner.open(one)),
              more,
            );
          },
        },
        {
          title: 'Track',
          value: (one) => this.owner.title(one.track),
          cell: (one) => this.owner.title(one.track),
        },
        { title: 'Then', value: (one) => one.then, cell: (one) => one.then },
      ],
    });
  }

  private loadWaits({ mode, node }: StepPath): void {
    const key = JSON.stringify([mode, node, this.shown]);
    if (key === this.median) return;
    this.median = key;
    this.waits.ask<StepWaits>(
      (signal) =>
        this.client.get(below(this.run, 'timeline/waits'), { query: { mode, node }, signal }),
      (waits) => this.showWaits(waits),
      () => this.usual.replaceChildren(),
    );
  }

  private showWaits(waits: StepWaits): void {
    const list = html('div', {});
    table(list, waits.names, {
      caption: 'Medians over steps, by name',
      columns: [
        {
          title: 'Median',
          numeric: true,
          value: (one) => one.median,
          cell: (one) => span(one.median),
        },
        {
          title: 'Share',
          numeric: true,
          value: (one) => one.share,
          cell: (one) => share(one.share, 1),
        },
        { title: 'Kind', value: (one) => one.kind, cell: (one) => one.kind },
        {
          title: 'Name',
          value: (one) => one.name,
          cell: (one) => link(one.name, () => this.owner.search(one.name)),
        },
      ],
    });
    const looked =
      waits.looked_at < waits.steps
        ? `${waits.looked_at} of ${many(waits.steps, 'step')}, evenly chosen`
        : many(waits.steps, 'step');
    this.usual.replaceChildren(
      html('h2', {}, 'What a step waits for'),
      html(
        'p',
        { class: 'quiet' },
        `Medians over ${looked} of ${waits.mode}; a step takes ${span(waits.duration)}.`,
      ),
      bar(
        waits.kinds.map(({ kind, share: part, median }) => ({ kind, part, words: span(median) })),
      ),
      list,
    );
  }
}

const listOf = (path: StepPath): StepPath['steps'][number] | undefined =>
  path.steps.find(({ mode, node }) => mode === path.mode && node === path.node);

// "the timeline has no steps" helps nobody.
const missing = (message: string): string =>
  message === 'the timeline has no steps'
    ? 'The timeline has no steps. Hooks record them, and PyTorch’s profiler if its step() is called.'
    : `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

// Shares side by side, and what they are.
function bar(parts: { kind: string; part: number; words: string }[]): HTMLElement {
  const line = html('div', { class: 'path-bar', 'aria-hidden': 'true' });
  const list = html('ul', { class: 'path-kinds' });
  for (const { kind, part, words } of parts) {
    const name = kind.replace(/ /g, '-').toLowerCase();
    const piece = html('span', { class: `path-part ${name}` });
    piece.style.flexGrow = String(part);
    line.append(piece);
    const mark = html('span', { class: `path-part ${name}`, 'aria-hidden': 'true' });
    list.append(
      html('li', {}, mark, `${kind} `, html('strong', {}, share(part, 1)), ` (${words})`),
    );
  }
  return html('div', {}, line, list);
}

function notes(lines: string[]): HTMLElement {
  if (lines.length === 0) return html('span', {});
  return html(
    'div',
    { class: 'notice plain path-notes' },
    html('strong', {}, 'Not known: '),
    ...lines.map((line) => html('span', {}, `${line} `)),
  );
}
