// Search for events by name: the matches, and moving between them.

import { below, type Client } from '../../../api/client';
import type { TimelineHit } from '../../../api/types';
import { html } from '../../../base/dom';
import { refill } from '../../../base/refill';
import { Latest } from '../../common/latest';
import { refused } from '../../common/states';
import { FILTER_HELP } from '../model/span_filter';
import { many, moment, span } from '../model/words';
import type { TrackTitle } from './selection';
import { link, table } from './table';

const LIMIT = 500;

export interface SearchOwner {
  title: TrackTitle;
  go: (hit: TimelineHit) => void;
  counted: (total: number | null) => void;
  say: (words: string) => void;
}

export class SearchPane {
  private readonly latest = new Latest();
  private hits: TimelineHit[] = [];
  private at = -1;
  private words = '';
  // A move that was requested before the matches arrived.
  private pending: (() => void) | null = null;

  constructor(
    private readonly into: HTMLElement,
    private readonly client: Client,
    private readonly run: string,
    private readonly owner: SearchOwner,
  ) {
    this.find('');
  }

  find(words: string): void {
    this.words = words;
    this.pending = null;
    this.at = -1;
    this.hits = [];
    this.latest.giveUp();
    if (words === '') {
      this.owner.counted(null);
      this.into.replaceChildren(html('p', { class: 'quiet timeline-hint' }, FILTER_HELP));
      return;
    }
    this.latest.ask<{ total: number; hits: TimelineHit[] }>(
      (signal) =>
        this.client.get(below(this.run, 'timeline/search'), {
          query: { q: words, limit: LIMIT },
          signal,
        }),
      ({ total, hits }) => {
        this.hits = hits;
        this.owner.counted(total);
        this.owner.say(`${many(total, 'event')} found`);
        this.draw(total);
        this.pending?.();
        this.pending = null;
      },
      (error) => {
        this.owner.counted(null);
        this.into.replaceChildren(
          error.status === 400
            ? html('p', { class: 'timeline-hint', role: 'status' }, `${error.message}.`)
            : refused(error, () => this.find(words)),
        );
      },
    );
  }

  // The next or previous match, starting from the selected event if it is one.
  step(by: 1 | -1, from: number | null, time: number): void {
    if (this.latest.waiting) this.pending = () => this.step(by, from, time);
    if (this.hits.length === 0) return;
    const selected = this.hits.findIndex((hit) => hit.id === from);
    if (selected >= 0) this.at = selected + by;
    else if (this.at >= 0) this.at += by;
    else
      this.at = Math.max(
        0,
        this.hits.findIndex((hit) => hit.start >= time),
      );
    this.at = (this.at + this.hits.length) % this.hits.length;
    const hit = this.hits[this.at];
    if (!hit) return;
    this.owner.go(hit);
    this.owner.say(`Match ${this.at + 1} of ${this.hits.length}`);
    this.mark(hit.id);
  }

  mark(id: number | null): void {
    const rows = this.into.querySelectorAll<HTMLElement>('tbody tr');
    for (const row of rows) {
      const here =
        id !== null && row.querySelector<HTMLElement>('button')?.dataset['event'] === String(id);
      if (here) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
      if (here && !this.into.hidden) row.scrollIntoView({ block: 'nearest' });
    }
  }

  close(): void {
    this.latest.giveUp();
  }

  private draw(total: number): void {
    if (total === 0) {
      this.into.replaceChildren(
        html('p', { class: 'timeline-hint' }, `No events match “${this.words}”.`),
      );
      return;
    }
    const list = html('div', {});
    table(list, this.hits, {
      caption: `Events that match ${this.words}`,
      columns: [
        {
          title: 'Name',
          value: (hit) => hit.name,
          cell: (hit) => {
            const button = link(hit.name, () => this.owner.go(hit));
            button.dataset['event'] = String(hit.id);
            return button;
          },
        },
        {
          title: 'Track',
          value: (hit) => this.owner.title(hit.track),
          cell: (hit) => this.owner.title(hit.track),
        },
        {
          title: 'Start',
          numeric: true,
          value: (hit) => hit.start,
          cell: (hit) => moment(hit.start, 0.001),
        },
        {
          title: 'Duration',
          numeric: true,
          value: (hit) => hit.duration,
          cell: (hit) => span(hit.duration),
        },
      ],
    });
    const part =
      total > this.hits.length
        ? `The first ${this.hits.length.toLocaleString('en')} of ${many(total, 'event')}`
        : many(total, 'event');
    refill(
      this.into,
      html('p', { class: 'quiet timeline-hint' }, `${part}. Enter or n: next; N: previous.`),
      list,
    );
  }
}
