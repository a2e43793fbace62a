// Where each track is on the screen: hosts, below them CPU and GPU, below them processes, below
// them threads and streams. Above each host is its utilization, and above everything what is
// pinned.

import type { Track } from '../../api/types';
import type { Counter } from './model/counters';
import { trackName, trackTitle } from './model/track_title';
import { rowOf } from './model/tile';

export const ROW_HEIGHT = 17;
const GROUP_HEIGHT = 24;
const BELOW_TRACK = 7;
const COUNTER_HEIGHT = 30;
const PINNED_ROWS = 6; // Of a pinned track: others must stay visible.

export interface Lane {
  readonly kind: 'group' | 'track' | 'counter';
  readonly key: string; // Name in the URL when it is collapsed or pinned.
  readonly title: string;
  readonly level: number; // Indentation level.
  readonly y: number;
  readonly height: number;
  readonly open: boolean;
  readonly foldable: boolean;
  readonly tracks: Track[]; // Of a track: itself.
  readonly rows: number; // Drawn below each other; a collapsed group has one row.
  readonly counter?: Counter;
  readonly pinned: boolean; // Stays at the top of the window.
}

export interface LaneOptions {
  closed: ReadonlySet<string>; // Collapsed; of counters: expanded, as they are collapsed at first.
  counters?: readonly Counter[];
  pinned?: ReadonlySet<string>;
}

interface Node {
  title: string;
  key: string;
  children: Map<string, Node>;
  tracks: Track[];
}

const node = (title: string, key: string): Node => ({
  title,
  key,
  children: new Map(),
  tracks: [],
});

function child(parent: Node, title: string): Node {
  const known = parent.children.get(title);
  if (known) return known;
  const made = node(title, parent.key ? `${parent.key}/${title}` : title);
  parent.children.set(title, made);
  return made;
}

function tree(tracks: Track[]): Node {
  const root = node('', '');
  for (const track of tracks) {
    const process = child(
      child(child(root, track.host || 'this machine'), track.device),
      track.process || 'process',
    );
    process.tracks.push(track);
  }
  return root;
}

const trackKey = (track: Track): string => `track:${track.id}`;
const counterKey = (counter: Counter): string => `counter:${counter.id}`;

// In the order on the screen.
export const inOrder = (tracks: Track[]): Track[] => tracksBelow(tree(tracks));

const tracksBelow = (of: Node): Track[] => [
  ...[...of.children.values()].flatMap(tracksBelow),
  ...of.tracks,
];

export class Lanes {
  readonly lanes: Lane[] = []; // Those that scroll.
  readonly pinned: Lane[] = [];
  pinnedHeight = 0;
  height = 0; // Of everything.
  scroll = 0; // Pinned lanes move along with it.
  // By track: its own lane, or the lane of the collapsed group.
  private readonly places = new Map<number, Lane>();

  constructor(tracks: Track[], { closed, counters = [], pinned = new Set() }: LaneOptions) {
    const isPinned = (track: Track): boolean => pinned.has(trackKey(track));
    for (const counter of counters.filter((one) => pinned.has(counterKey(one))))
      this.addPinned(this.counterLane(counter, 0, `${counter.node} › ${counter.title}`));
    for (const track of tracks.filter(isPinned)) this.addPinnedTrack(track);
    this.height = this.pinnedHeight;
    const rest = counters.filter((one) => !pinned.has(counterKey(one)));
    const hosts = tree(tracks.filter((track) => !isPinned(track))).children;
    for (const node of new Set(rest.map((one) => one.node))) {
      if (!hosts.has(node)) this.addCounters(node, rest, closed);
    }
    for (const host of hosts.values()) {
      this.addCounters(host.title, rest, closed);
      this.addGroup(host, 0, '', closed);
    }
  }

  // Top and height of a row of a track. Undefined for an unknown track.
  place(track: number, depth: number): { y: number; height: number; lane: Lane } | undefined {
    const lane = this.places.get(track);
    if (!lane) return undefined;
    if (lane.kind === 'group') return { y: lane.y + 3, height: lane.height - 6, lane };
    const row = Math.min(depth, lane.rows - 1);
    return { y: lane.y + row * ROW_HEIGHT, height: ROW_HEIGHT - 1, lane };
  }

  // The lane at a vertical position, and which of its rows.
  at(y: number): { lane: Lane; row: number } | undefined {
    const lane =
      y < this.scroll + this.pinnedHeight
        ? this.pinned.find((one) => y >= one.y && y < one.y + one.height)
        : this.lanes[this.indexAt(y)];
    if (!lane || y < lane.y || y >= lane.y + lane.height) return undefined;
    return { lane, row: Math.floor((y - lane.y) / ROW_HEIGHT) };
  }

  // The scrolling lanes between two vertical positions.
  between(top: number, bottom: number): Lane[] {
    const found: Lane[] = [];
    for (let i = Math.max(0, this.indexAt(top)); i < this.lanes.length; ++i) {
      const lane = this.lanes[i];
      if (!lane || lane.y >= bottom) break;
      if (lane.y + lane.height > top) found.push(lane);
    }
    return found;
  }

  // The collapsed group that hides a track, if any.
  hidden(track: number): Lane | undefined {
    const lane = this.places.get(track);
    return lane?.kind === 'group' ? lane : undefined;
  }

  private indexAt(y: number): number {
    let low = 0;
    let high = this.lanes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.lanes[middle]?.y ?? 0) <= y) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  // A group that contains only one group is merged with it: "algo-1 › CPU".
  private addGroup(of: Node, level: number, before: string, closed: ReadonlySet<string>): void {
    const title = before ? `${before} › ${of.title}` : of.title;
    const only = of.children.size === 1 ? [...of.children.values()][0] : undefined;
    if (only && of.tracks.length === 0) return this.addGroup(only, level, title, closed);
    const open = !closed.has(of.key);
    const lane = this.add({
      kind: 'group',
      key: of.key,
      title,
      level,
      height: GROUP_HEIGHT,
      open,
      foldable: true,
      tracks: tracksBelow(of),
      rows: open ? 0 : 1,
      pinned: false,
    });
    if (!open) {
      for (const track of lane.tracks) this.places.set(track.id, lane);
      return;
    }
    for (const one of of.children.values()) this.addGroup(one, level + 1, '', closed);
    for (const track of of.tracks) this.addTrack(track, level + 1, closed);
  }

  private addTrack(track: Track, level: number, closed: ReadonlySet<string>): void {
    const key = trackKey(track);
    const open = !closed.has(key);
    const rows = open ? Math.min(Math.max(1, track.depth), 200) : 1;
    const lane = this.add({
      kind: 'track',
      key,
      title: trackName(track),
      level,
      open,
      foldable: track.depth > 1,
      height: rows * ROW_HEIGHT + BELOW_TRACK,
      tracks: [track],
      rows,
      pinned: false,
    });
    this.places.set(track.id, lane);
  }

  // The utilization of a host, and below it its other counters, which are collapsed at first.
  private addCounters(
    node: string,
    counters: readonly Counter[],
    closed: ReadonlySet<string>,
  ): void {
    const own = counters.filter((one) => one.node === node);
    const group = (key: string, title: string, level: number, open: boolean): boolean => {
      this.add({
        kind: 'group',
        key,
        title,
        level,
        height: GROUP_HEIGHT,
        open,
        foldable: true,
        tracks: [],
        rows: 0,
        pinned: false,
      });
      return open;
    };
    const main = own.filter((one) => one.utilization);
    const rest = own.filter((one) => !one.utilization);
    if (main.length + rest.length === 0) return;
    const key = `usage/${node}`;
    if (!group(key, `${node} › Utilization`, 0, !closed.has(key))) return;
    for (const one of main) this.add(this.counterLane(one, 1, one.title));
    const more = `counters/${node}`;
    if (rest.length === 0 || !group(more, 'Other counters', 1, closed.has(more))) return;
    for (const one of rest) this.add(this.counterLane(one, 2, one.title));
  }

  private counterLane(counter: Counter, level: number, title: string): Omit<Lane, 'y'> {
    return {
      kind: 'counter',
      key: counterKey(counter),
      title,
      level,
      open: true,
      foldable: false,
      height: COUNTER_HEIGHT,
      tracks: [],
      rows: 0,
      counter,
      pinned: false,
    };
  }

  private addPinnedTrack(track: Track): void {
    const rows = Math.min(Math.max(1, track.depth), PINNED_ROWS);
    const lane = this.addPinned({
      kind: 'track',
      key: trackKey(track),
      title: trackTitle(track),
      level: 0,
      open: true,
      foldable: false,
      height: rows * ROW_HEIGHT + BELOW_TRACK,
      tracks: [track],
      rows,
      pinned: true,
    });
    this.places.set(track.id, lane);
  }

  private addPinned(lane: Omit<Lane, 'y'>): Lane {
    const from = this.pinnedHeight;
    const scrolled = (): number => this.scroll;
    const placed: Lane = {
      ...lane,
      pinned: true,
      get y() {
        return from + scrolled();
      },
    };
    this.pinned.push(placed);
    this.pinnedHeight += lane.height;
    return placed;
  }

  private add(lane: Omit<Lane, 'y'>): Lane {
    const placed = { ...lane, y: this.height };
    this.lanes.push(placed);
    this.height += placed.height;
    return placed;
  }
}

// The tile rows that are drawn into a row of a lane.
export function rowsOf(lane: Lane, row: number): number[] {
  return lane.kind === 'track'
    ? [rowOf(lane.tracks[0]?.id ?? 0, row)]
    : lane.tracks.map((track) => rowOf(track.id, 0));
}
