// Finds slices: at the pointer, by id, next to another, all visible ones.

import type { TimelineEvent } from '../../api/types';
import { type Lanes, rowsOf } from './lanes';
import type { Names } from './model/names';
import type { Spot } from './overlay';
import type { Screen } from './painter';
import type { Visible } from './panes/lists';
import { rowOf, type Slice, type Tile } from './model/tile';
import type { TileStore } from './tile_store';

export interface Hit extends Spot {
  slice: Slice;
}

const NEAR = 2; // Tolerance in pixels: many slices are one pixel wide.
const MOST_LISTED = 2000;

const pixelOf = (screen: Screen): number => (screen.to - screen.from) / screen.width;

// What is at a position, relative to the upper left corner of the stage.
export function hitAt(
  x: number,
  y: number,
  screen: Screen,
  lanes: Lanes,
  tiles: TileStore,
): Hit | null {
  const at = lanes.at(y + screen.scroll);
  if (!at || at.row >= Math.max(1, at.lane.rows) || at.lane.rows === 0) return null;
  const pixel = pixelOf(screen);
  const time = screen.from + x * screen.ratio * pixel;
  const near = NEAR * screen.ratio * pixel;
  let best: Hit | null = null;
  let distance = near;
  rowsOf(at.lane, at.row).forEach((row, i) => {
    const track = at.lane.tracks[i]?.id ?? 0;
    const tile = tiles.tileAt(track, time, pixel);
    const range = tile?.row(row);
    if (!tile || !range) return;
    const first = tile.firstAfter(time - near, range[0], range[1]);
    for (let j = first; j < range[1] && (tile.start[j] ?? Infinity) <= time + near; ++j) {
      const slice = tile.at(j);
      const off =
        time < slice.start ? slice.start - time : time > slice.end ? time - slice.end : -1;
      if (off >= distance) continue;
      distance = off;
      best = { track, depth: at.row, start: slice.start, end: slice.end, slice };
    }
  });
  return best;
}

// The row of an event within its track. If it is merged with its neighbors: the deepest row with
// data at that time.
export function depthOf(
  track: number,
  id: number,
  start: number,
  screen: Screen,
  tiles: TileStore,
  rows: number,
): number {
  const tile = tiles.tileAt(track, start, pixelOf(screen));
  if (!tile) return 0;
  let deepest = 0;
  for (let depth = 0; depth < rows; ++depth) {
    const range = tile.row(rowOf(track, depth));
    if (!range) continue;
    const from = tile.firstAfter(start - 1e-3, range[0], range[1]);
    for (let i = from; i < range[1] && (tile.start[i] ?? Infinity) <= start + 1e-3; ++i) {
      if (tile.id[i] === id && tile.count[i] === 1) return depth;
      deepest = depth;
    }
  }
  return deepest;
}

// The previous or next single event in the same row, within the loaded data.
export function neighbour(
  event: TimelineEvent,
  by: 1 | -1,
  screen: Screen,
  tiles: TileStore,
): Slice | null {
  const tile = tiles.tileAt(event.track, event.start, pixelOf(screen));
  const range = tile?.row(rowOf(event.track, event.depth));
  if (!tile || !range) return null;
  const after = (i: number): boolean =>
    (tile.start[i] ?? 0) > event.start ||
    ((tile.start[i] ?? 0) === event.start && (tile.id[i] ?? 0) !== event.id);
  if (by === 1) {
    for (let i = tile.firstAfter(event.start, range[0], range[1]); i < range[1]; ++i) {
      if (after(i) && tile.count[i] === 1) return tile.at(i);
    }
    return null;
  }
  for (let i = tile.firstAfter(event.start, range[0], range[1]) - 1; i >= range[0]; --i) {
    if (tile.count[i] === 1 && tile.id[i] !== event.id) return tile.at(i);
  }
  return null;
}

function addRow(
  found: Visible[],
  tile: Tile,
  track: number,
  depth: number,
  from: number,
  to: number,
  names: Names,
): number {
  const range = tile.row(rowOf(track, depth));
  if (!range) return 0;
  let joined = 0;
  for (
    let i = tile.firstAfter(from, range[0], range[1]);
    i < range[1] && (tile.start[i] ?? 0) < to;
    ++i
  ) {
    const slice = tile.at(i);
    if (slice.count > 1) joined += slice.count;
    else if (found.length < MOST_LISTED)
      found.push({ ...slice, track, depth, text: names.text(slice.name) });
  }
  return joined;
}

// Every visible event by time, and how many are too short to show.
export function visible(
  screen: Screen,
  lanes: Lanes,
  tiles: TileStore,
  names: Names,
): { rows: Visible[]; joined: number } {
  const rows: Visible[] = [];
  let joined = 0;
  const scrolling = lanes.between(
    screen.scroll + lanes.pinnedHeight,
    screen.scroll + screen.height / screen.ratio,
  );
  for (const lane of [...lanes.pinned, ...scrolling]) {
    const track = lane.tracks[0]?.id;
    if (lane.kind !== 'track' || track === undefined) continue;
    for (const part of tiles.cover(track, screen.from, screen.to, pixelOf(screen))) {
      for (let depth = 0; depth < lane.rows; ++depth)
        joined += addRow(rows, part.tile, track, depth, part.from, part.to, names);
    }
  }
  const seen = new Set<number>();
  const once = rows.filter((one) => !seen.has(one.id) && seen.add(one.id));
  return { rows: once.sort((a, b) => a.start - b.start), joined };
}
