// Requests the timeline's description, again whenever it grows.

import { below, type Client, type Refusal } from '../../api/client';
import type { TimelineEvent, TimelineInfo, TimeMarks } from '../../api/types';
import { Paced } from '../../base/paced';
import { Latest } from '../common/latest';

export interface SourceOwner {
  loaded: (info: TimelineInfo) => void;
  failed: (error: Refusal) => void;
  marked: (marks: TimeMarks) => void;
}

export class Source {
  private readonly info = new Latest();
  private readonly event = new Latest();
  private readonly marks = new Latest();
  private readonly again = new Paced(() => this.load(), 2000);

  constructor(
    private readonly client: Client,
    private readonly run: string,
    private readonly owner: SourceOwner,
  ) {}

  load(): void {
    // Never aborted for a newer request: if events arrive faster than answers, nothing would ever
    // be shown.
    if (this.info.waiting) return this.again.tell();
    this.info.ask<TimelineInfo>(
      (signal) => this.client.get(below(this.run, 'timeline'), { signal }),
      (info) => {
        if (!info.state.done) this.again.tell(); // Polls the progress, in case no event reports it.
        this.owner.loaded(info);
      },
      (error) => this.owner.failed(error),
    );
  }

  grown(): void {
    this.again.tell();
  }

  loadMarks(): void {
    this.marks.ask<TimeMarks>(
      (signal) => this.client.get(below(this.run, 'metrics/marks'), { signal }),
      (marks) => this.owner.marked(marks),
      () => undefined, // The timeline works without them.
    );
  }

  // One at a time: the latest wins.
  loadEvent(
    id: number,
    then: (event: TimelineEvent) => void,
    failed: (error: Refusal) => void,
  ): void {
    this.event.ask<TimelineEvent>(
      (signal) => this.client.get(below(this.run, 'timeline/event'), { query: { id }, signal }),
      then,
      failed,
    );
  }

  get waitsForEvent(): boolean {
    return this.event.waiting;
  }

  forgetEvent(): void {
    this.event.giveUp();
  }

  close(): void {
    this.again.stop();
    for (const asked of [this.info, this.event, this.marks]) asked.giveUp();
  }
}
