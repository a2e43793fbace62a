// Slices and tracks as the server sends them, for tests.

import type { Columns } from '../../../api/columns';
import { columnsOf } from '../../../api/runs_for_test';
import type { Track } from '../../../api/types';
import { Names } from './names';
import { type SlicesHeader, Tile } from './tile';

export interface Sent {
  track?: number;
  depth?: number;
  start: number;
  duration: number;
  name?: string;
  count?: number;
  id?: number;
}

export function slicesOf(sent: readonly Sent[]): Columns<SlicesHeader> {
  const names = [...new Set(sent.map(({ name }) => name ?? 'op'))];
  const numbers = (of: (one: Sent, i: number) => number): Uint32Array<ArrayBuffer> =>
    Uint32Array.from(sent, of);
  return columnsOf(
    { names: Object.fromEntries(names.map((name, i) => [String(i), name])) },
    {
      track: numbers(({ track }) => track ?? 1),
      depth: numbers(({ depth }) => depth ?? 0),
      start: Float64Array.from(sent, ({ start }) => start),
      duration: Float64Array.from(sent, ({ duration }) => duration),
      name: numbers(({ name }) => names.indexOf(name ?? 'op')),
      count: numbers(({ count }) => count ?? 1),
      id: numbers(({ id }, i) => id ?? i),
    },
  );
}

export const tileOf = (sent: readonly Sent[], names = new Names()): Tile =>
  new Tile(0, 1000, slicesOf(sent), names);

export const trackOf = (id: number, changes: Partial<Track> = {}): Track => ({
  id,
  host: 'algo-1',
  device: 'CPU',
  process: 'python',
  name: `thread ${id}`,
  depth: 2,
  events: 10,
  ...changes,
});
