// How busy each moment is, per device.

import type { Track } from '../../api/types';
import { rowOf, type Tile } from './model/tile';

// The busy share of each pixel, 0 to 1: the mean of the tracks.
export interface Busy {
  cpu: Float32Array;
  gpu: Float32Array;
}

function add(into: Float32Array, from: number, to: number): void {
  const first = Math.max(0, Math.floor(from));
  const last = Math.min(into.length - 1, Math.floor(to));
  for (let x = first; x <= last; ++x)
    into[x] = (into[x] ?? 0) + Math.max(0, Math.min(to, x + 1) - Math.max(from, x));
}

// overview: the tile that holds everything of a track, if it is loaded. end: microseconds.
export function busyOf(
  tracks: readonly Track[],
  overview: (track: number) => Tile | undefined,
  width: number,
  end: number,
): Busy {
  const busy = { cpu: new Float32Array(width), gpu: new Float32Array(width) };
  const counts = { cpu: 0, gpu: 0 };
  const scale = width / end;
  for (const track of tracks) {
    const tile = overview(track.id);
    const range = tile?.row(rowOf(track.id, 0));
    if (!tile || !range) continue;
    const device = track.device === 'GPU' ? 'gpu' : 'cpu';
    ++counts[device];
    for (let i = range[0]; i < range[1]; ++i)
      add(busy[device], (tile.start[i] ?? 0) * scale, (tile.end[i] ?? 0) * scale);
  }
  for (const device of ['cpu', 'gpu'] as const) {
    const tracksOf = Math.max(1, counts[device]);
    busy[device].forEach((value, i, all) => (all[i] = Math.min(1, value / tracksOf)));
  }
  return busy;
}
