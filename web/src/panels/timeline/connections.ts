// Arrows from launches to the GPU work they started: for the selected event, or for everything
// visible.

import { below, type Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import type { TimelineEvent, TimelineHit } from '../../api/types';
import { Latest } from '../common/latest';
import { depthOf } from './explore';
import type { Arrow, Spot } from './overlay';
import type { Screen } from './painter';
import type { Stage } from './stage';
import type { TileStore } from './tile_store';

const LIMIT = 400;

export class Connections {
  private readonly latest = new Latest();
  private columns: Columns<unknown> | null = null;

  constructor(
    private readonly client: Client,
    private readonly run: string,
    private readonly stage: Stage,
    private readonly tiles: TileStore,
  ) {}

  // Requests the arrows of the window, or clears them if they are off.
  show(wanted: boolean, { from, to }: Screen): void {
    this.latest.giveUp();
    if (!wanted) {
      this.columns = null;
      this.place(this.stage.over.selected);
      return;
    }
    this.latest.ask(
      (signal) =>
        this.client.columns<unknown>(below(this.run, 'timeline/arrows'), {
          query: { from, to, limit: LIMIT },
          signal,
        }),
      (columns) => {
        this.columns = columns;
        this.place(this.stage.over.selected);
      },
      () => undefined, // The timeline works without them.
    );
  }

  // Finds the rows where they start and end, as far as the loaded tiles tell.
  place(selected: TimelineEvent | null): void {
    this.stage.over.arrows = selected ? this.ofEvent(selected) : [];
    this.stage.over.all = this.columns ? this.ofAll(this.columns) : [];
    this.stage.overChanged();
  }

  close(): void {
    this.latest.giveUp();
  }

  private spot(track: number, id: number, start: number, end: number): Spot {
    const rows = this.stage.lanes.place(track, 0)?.lane.rows ?? 1;
    return {
      track,
      depth: depthOf(track, id, start, this.stage.screen, this.tiles, rows),
      start,
      end,
    };
  }

  private ofEvent(event: TimelineEvent): Arrow[] {
    const self: Spot = {
      track: event.track,
      depth: event.depth,
      start: event.start,
      end: event.start + event.duration,
    };
    const other = (hit: TimelineHit): Spot =>
      this.spot(hit.track, hit.id, hit.start, hit.start + hit.duration);
    return event.connected.map((one) =>
      one.kind === 'run' ? { from: self, to: other(one) } : { from: other(one), to: self },
    );
  }

  private ofAll(columns: Columns<unknown>): Arrow[] {
    const [fromTrack, fromTime, fromId] = ['from_track', 'from_time', 'from_id'].map((name) =>
      columns.column(name),
    );
    const [toTrack, toTime, toId] = ['to_track', 'to_time', 'to_id'].map((name) =>
      columns.column(name),
    );
    const arrows: Arrow[] = [];
    for (let i = 0; i < Math.min(LIMIT, fromTrack?.length ?? 0); ++i) {
      const [begin, end] = [fromTime?.[i] ?? 0, toTime?.[i] ?? 0];
      arrows.push({
        from: this.spot(fromTrack?.[i] ?? 0, fromId?.[i] ?? 0, begin, begin),
        to: this.spot(toTrack?.[i] ?? 0, toId?.[i] ?? 0, end, end),
      });
    }
    return arrows;
  }
}
