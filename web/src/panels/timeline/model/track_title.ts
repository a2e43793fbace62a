// What tracks are called. Streams say which GPU they are on: the group around them may be out of
// sight.

import type { Track } from '../../../api/types';

const gpuOf = ({ device, process }: Track): string =>
  device === 'GPU' ? (/^GPU \d+/.exec(process)?.[0] ?? '') : '';

// Next to the track.
export function trackName(track: Track): string {
  const name = track.name || `track ${track.id}`;
  const gpu = gpuOf(track);
  return gpu && !name.startsWith(gpu) ? `${gpu}, ${name}` : name;
}

// Where the groups around it are not shown: "algo-1 › GPU 0, process 7 › stream 3".
export function trackTitle(track: Track): string {
  const { host, device, process, name, id } = track;
  const where = gpuOf(track) ? [process] : [device, process];
  return [host, ...where, name || String(id)].filter((part) => part !== '').join(' › ');
}
