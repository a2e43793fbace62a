// Where each track is on the screen: hosts, below them CPU and GPU, below them processes, below
// them threads and streams.

import type { Track } from '../../api/types';
import { rowOf } from './model/tile';

export const ROW_HEIGHT = 17;
const GROUP_HEIGHT = 24;
const BELOW_TRACK = 7;

export interface Lane {
  readonly kind: 'group' | 'track';
  readonly key: string; // Name in the URL when it is collapsed.
  readonly title: string;
  readonly level: number; // Indentation level.
  readonly y: number;
  readonly height: number;
  readonly open: boolean;
  readonly foldable: boolean;
  readonly tracks: Track[]; // Of a track: itself.
  readonly rows: number; // Drawn below each other; a collapsed group has one row.
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

// In the order on the screen.
export const inOrder = (tracks: Track[]): Track[] => tracksBelow(tree(tracks));

const tracksBelow = (of: Node): Track[] => [
  ...[...of.children.values()].flatMap(tracksBelow),
  ...of.tracks,
];

export class Lanes {
  readonly lanes: Lane[] = [];
  height = 0;
  // By track: its own lane, or the lane of the collapsed group.
  private readonly places = new Map<number, Lane>();

  constructor(tracks: Track[], closed: ReadonlySet<string>) {
    for (const host of tree(tracks).children.values()) this.addGroup(host, 0, '', closed);
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
    const lane = this.lanes[this.indexAt(y)];
    if (!lane || y < lane.y || y >= lane.y + lane.height) return undefined;
    return { lane, row: Math.floor((y - lane.y) / ROW_HEIGHT) };
  }

  // The lanes between two vertical positions.
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
    });
    if (!open) {
      for (const track of lane.tracks) this.places.set(track.id, lane);
      return;
    }
    for (const one of of.children.values()) this.addGroup(one, level + 1, '', closed);
    for (const track of of.tracks) this.addTrack(track, level + 1, closed);
  }

  private addTrack(track: Track, level: number, closed: ReadonlySet<string>): void {
    const key = `track:${track.id}`;
    const open = !closed.has(key);
    const rows = open ? Math.min(Math.max(1, track.depth), 200) : 1;
    const lane = this.add({
      kind: 'track',
      key,
      title: track.name || `track ${track.id}`,
      level,
      open,
      foldable: track.depth > 1,
      height: rows * ROW_HEIGHT + BELOW_TRACK,
      tracks: [track],
      rows,
    });
    this.places.set(track.id, lane);
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
