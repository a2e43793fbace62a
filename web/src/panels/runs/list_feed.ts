// The order in which the list is asked for. Its newest runs come first, and at once; when they are
// on the screen, all runs are asked for, and events that tell of changes. Both make the server search
// all folders, which the first rows must not wait for.

import type { Client, Query, Refusal } from '../../api/client';
import { Repeated } from '../../api/repeated';
import type { RunList } from '../../api/types';
import { Paced } from '../../base/paced';
import { Latest } from '../common/latest';
import { whenPainted } from './first_rows';

const PAUSE_MS = 1000;
// Thousands of runs take a while to send, read and draw: one that changes all the time must not make
// the page stutter.
const PAUSE_MS_PER_RUN = 0.5;

export interface FeedListener {
  came: (list: RunList) => void;
  // The list is still the one that came last.
  unchanged: () => void;
  // There is nothing to show, or no longer. A whole list that cannot be loaded again stays.
  failed: (error: Refusal) => void;
  // Once: events are of use from now on, because the first rows are painted or cannot be loaded.
  opened: () => void;
}

export class ListFeed {
  private shown: 'nothing' | 'newest' | 'all' = 'nothing';
  private asksAll = false;
  private open = false;
  private giveUpPainted = (): void => undefined;
  private readonly question = new Latest();
  private readonly list: Repeated<RunList>;
  private readonly refresh = new Paced(() => this.load(), PAUSE_MS);

  constructor(
    client: Client,
    private readonly firstQuery: () => Query,
    private readonly listener: FeedListener,
  ) {
    this.list = new Repeated(client, 'runs');
  }

  load(): void {
    this.question.askAgain(
      (signal) => {
        const query = this.shown === 'nothing' ? this.firstQuery() : {};
        this.asksAll = query['first'] === undefined;
        return this.list.ask({ query, signal });
      },
      (list) => (list ? this.take(list) : this.listener.unchanged()),
      (error) => {
        if (this.shown === 'all') return; // The next event asks again.
        this.shown = 'nothing';
        this.list.forget();
        this.listener.failed(error);
        this.opened();
      },
    );
  }

  // Something may have changed. Before events are of use, the whole list is still to come.
  tell(): void {
    if (this.open) this.refresh.tell();
  }

  close(): void {
    this.giveUpPainted();
    this.question.giveUp();
    this.refresh.stop();
  }

  private take(list: RunList): void {
    this.shown = list.more === true ? 'newest' : 'all';
    // While runs are read for the first time, each request reads some more of them.
    const count = list.pending > 0 ? 0 : list.runs.length;
    this.refresh.pause = Math.max(PAUSE_MS, count * PAUSE_MS_PER_RUN);
    this.listener.came(list);
    if (this.shown === 'newest' || !this.open) {
      this.giveUpPainted();
      this.giveUpPainted = whenPainted(() => this.painted());
    }
  }

  private painted(): void {
    if (!this.asksAll) this.load();
    this.opened();
  }

  private opened(): void {
    if (!this.open) this.listener.opened();
    this.open = true;
  }
}
