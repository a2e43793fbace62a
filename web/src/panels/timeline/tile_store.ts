// Tiles of the timeline, kept by level of detail.
//
// Level L has 2^L microseconds per pixel; a tile is WIDTH pixels of a level, so two tiles make one
// of the next level. The screen is drawn from the nearest level that is loaded while the right one
// is being fetched, so moving never waits. Tracks are requested in blocks of a few rows, so that no
// answer is too large to be exact, and a run with thousands of tracks fetches only those that are
// visible.

import { below, type Client, type Refusal } from '../../api/client';
import type { Track } from '../../api/types';
import type { Names } from './model/names';
import { type SlicesHeader, Tile } from './model/tile';

const WIDTH = 1024;
const LEAST_LEVEL = -12;
const DEEPER = 3; // How many finer levels are searched for a missing tile.
const AT_ONCE = 3;
const MOST_BYTES = 96e6;
const TRY_AGAIN = 5000; // Milliseconds after a failure.
const BLOCK_ROWS = 64;
const OVERVIEWS = 12; // Blocks whose coarsest tile is fetched even if hidden: for the minimap.

interface Wanted {
  key: string;
  block: number;
  level: number;
  index: number;
}

interface Held {
  tile: Tile;
  used: number;
  stale: boolean; // The timeline has grown since it was loaded.
}

// What a part of the screen is drawn from.
export interface Cover {
  tile: Tile;
  from: number;
  to: number;
}

const keyOf = (block: number, level: number, index: number): string => `${block}:${level}:${index}`;

export class TileStore {
  private readonly held = new Map<string, Held>();
  private readonly asked = new Map<string, AbortController>();
  private readonly refused = new Map<string, number>(); // When.
  private wanted: Wanted[] = [];
  private blockOf = new Map<number, number>();
  private blocks: number[][] = [];
  private top = 0; // The level at which one tile holds everything.
  private bytes = 0;
  private clock = 0;

  // `arrived` is called after every answer, with the error when a request fails for the first time.
  constructor(
    private readonly client: Client,
    private readonly run: string,
    private readonly names: Names,
    private readonly arrived: (refused: Refusal | null) => void,
  ) {}

  // Tracks in screen order.
  setTracks(tracks: Track[], end: number): void {
    const before = this.blocks.map(String);
    this.blocks = [];
    this.blockOf = new Map();
    let rows = Infinity;
    for (const track of tracks) {
      rows += track.depth;
      if (rows > BLOCK_ROWS) {
        this.blocks.push([]);
        rows = track.depth;
      }
      this.blocks[this.blocks.length - 1]?.push(track.id);
      this.blockOf.set(track.id, this.blocks.length - 1);
    }
    // Tiles of a block whose tracks changed are useless.
    for (const [key, held] of this.held) {
      const block = parseInt(key, 10);
      if (String(this.blocks[block]) === before[block]) continue;
      this.held.delete(key);
      this.bytes -= held.tile.bytes;
    }
    this.top = Math.max(LEAST_LEVEL, Math.ceil(Math.log2(Math.max(end, 1e-3) / WIDTH)));
  }

  // Loaded tiles are still drawn, but fetched again when visible.
  growOld(): void {
    for (const held of this.held.values()) held.stale = true;
    this.tryAgain();
  }

  // The server is back: failed requests may succeed now.
  tryAgain(): void {
    this.refused.clear();
  }

  get waiting(): boolean {
    return this.wanted.length > 0;
  }

  level(microsecondsPerPixel: number): number {
    return Math.min(this.top, Math.max(LEAST_LEVEL, Math.floor(Math.log2(microsecondsPerPixel))));
  }

  // Requests what is visible and one tile on each side; aborts requests for what is no longer
  // visible.
  want(from: number, to: number, microsecondsPerPixel: number, tracks: Iterable<number>): void {
    const level = this.level(microsecondsPerPixel);
    const size = WIDTH * 2 ** level;
    const first = Math.floor(Math.max(0, from) / size);
    const last = Math.floor(Math.max(0, to) / size);
    const blocks = new Set<number>();
    for (const track of tracks) {
      const block = this.blockOf.get(track);
      if (block !== undefined) blocks.add(block);
    }
    const wanted: Wanted[] = [];
    const add = (block: number, at: number, index: number): void => {
      const key = keyOf(block, at, index);
      if (performance.now() - (this.refused.get(key) ?? -Infinity) < TRY_AGAIN) return;
      if (
        index >= 0 &&
        index * WIDTH * 2 ** at < WIDTH * 2 ** this.top &&
        !this.fresh(block, at, index)
      ) {
        wanted.push({ key, block, level: at, index });
      }
    };
    for (const block of blocks) add(block, this.top, 0);
    const middle = (first + last) / 2;
    const inside = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    inside.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
    for (const index of inside) for (const block of blocks) add(block, level, index);
    for (let block = 0; block < Math.min(OVERVIEWS, this.blocks.length); ++block)
      add(block, this.top, 0);
    for (const index of [last + 1, first - 1]) for (const block of blocks) add(block, level, index);
    this.wanted = wanted;
    this.fetch();
  }

  // The tiles that cover [from, to) of a track, in time order. Gaps have no tile.
  cover(track: number, from: number, to: number, microsecondsPerPixel: number): Cover[] {
    const block = this.blockOf.get(track);
    if (block === undefined) return [];
    const level = this.level(microsecondsPerPixel);
    const size = WIDTH * 2 ** level;
    const found: Cover[] = [];
    const last = Math.floor(to / size);
    for (let index = Math.max(0, Math.floor(from / size)); index <= last; ++index) {
      const begin = Math.max(from, index * size);
      const end = Math.min(to, (index + 1) * size);
      if (end > begin) this.coverTile(found, block, level, index, begin, end, DEEPER);
    }
    return found;
  }

  // The best loaded tile of a track at a time.
  tileAt(track: number, time: number, microsecondsPerPixel: number): Tile | undefined {
    return this.cover(track, time, time + microsecondsPerPixel, microsecondsPerPixel)[0]?.tile;
  }

  blockNumber(track: number): number {
    return this.blockOf.get(track) ?? -1;
  }

  // The coarsest tile, which holds everything.
  overview(track: number): Tile | undefined {
    const block = this.blockOf.get(track);
    return block === undefined ? undefined : this.held.get(keyOf(block, this.top, 0))?.tile;
  }

  close(): void {
    this.wanted = [];
    for (const controller of this.asked.values()) controller.abort();
    this.asked.clear();
    this.held.clear();
  }

  private coverTile(
    found: Cover[],
    block: number,
    level: number,
    index: number,
    from: number,
    to: number,
    deeper: number,
  ): void {
    const best = this.atOrAbove(block, level, index);
    if (best && (best.level === level || best.held.tile.complete)) {
      return this.use(found, best.held, from, to);
    }
    // Finer tiles if both halves are loaded; otherwise the next coarser one.
    const middle = (index + 0.5) * WIDTH * 2 ** level;
    if (
      deeper > 0 &&
      this.held.has(keyOf(block, level - 1, index * 2)) &&
      this.held.has(keyOf(block, level - 1, index * 2 + 1))
    ) {
      if (from < middle)
        this.coverTile(found, block, level - 1, index * 2, from, Math.min(to, middle), deeper - 1);
      if (to > middle)
        this.coverTile(
          found,
          block,
          level - 1,
          index * 2 + 1,
          Math.max(from, middle),
          to,
          deeper - 1,
        );
      return;
    }
    if (best) this.use(found, best.held, from, to);
  }

  private use(found: Cover[], held: Held, from: number, to: number): void {
    held.used = ++this.clock;
    const last = found[found.length - 1];
    if (last?.tile === held.tile) last.to = to;
    else found.push({ tile: held.tile, from, to });
  }

  // The finest loaded tile that contains this one, itself included.
  private atOrAbove(
    block: number,
    level: number,
    index: number,
  ): { held: Held; level: number } | null {
    for (let at = level, i = index; at <= this.top; ++at, i = Math.floor(i / 2)) {
      const held = this.held.get(keyOf(block, at, i));
      if (held) return { held, level: at };
    }
    return null;
  }

  // Whether fetching it would bring nothing new.
  private fresh(block: number, level: number, index: number): boolean {
    for (let at = level, i = index; at <= this.top; ++at, i = Math.floor(i / 2)) {
      const held = this.held.get(keyOf(block, at, i));
      if (held && !held.stale && (at === level || held.tile.complete)) return true;
    }
    return false;
  }

  private fetch(): void {
    const keys = new Set(this.wanted.map((one) => one.key));
    for (const [key, controller] of this.asked) {
      if (!keys.has(key)) {
        controller.abort();
        this.asked.delete(key);
      }
    }
    for (const one of this.wanted) {
      if (this.asked.size >= AT_ONCE) return;
      if (!this.asked.has(one.key)) void this.ask(one);
    }
  }

  private async ask({ key, block, level, index }: Wanted): Promise<void> {
    const controller = new AbortController();
    this.asked.set(key, controller);
    const size = WIDTH * 2 ** level;
    const from = index * size;
    const to = from + size;
    const query = {
      from,
      to,
      width: WIDTH,
      tracks: this.blocks.length > 1 ? this.blocks[block]?.join(',') : undefined,
    };
    const answer = await this.client.columns<SlicesHeader>(below(this.run, 'timeline/slices'), {
      query,
      signal: controller.signal,
    });
    if (controller.signal.aborted) return;
    this.asked.delete(key);
    this.wanted = this.wanted.filter((one) => one.key !== key);
    const first = this.refused.size === 0;
    if (answer.ok) this.keep(key, new Tile(from, to, answer.value, this.names));
    else this.refused.set(key, performance.now());
    this.arrived(answer.ok || !first ? null : answer.error);
    this.fetch();
  }

  private keep(key: string, tile: Tile): void {
    const before = this.held.get(key);
    this.bytes += tile.bytes - (before?.tile.bytes ?? 0);
    this.held.set(key, { tile, used: ++this.clock, stale: false });
    if (this.bytes > MOST_BYTES) this.forget();
  }

  // Drops the least recently used tiles until a quarter is free; never the overview.
  private forget(): void {
    const byUse = [...this.held].sort(([, a], [, b]) => a.used - b.used);
    for (const [key, held] of byUse) {
      if (this.bytes <= MOST_BYTES * 0.75) return;
      if (key.endsWith(`:${this.top}:0`)) continue;
      this.held.delete(key);
      this.bytes -= held.tile.bytes;
    }
  }
}
