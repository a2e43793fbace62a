import { expect, test } from 'vitest';
import { trackOf } from './tiles_for_test';
import { trackName, trackTitle } from './track_title';

const STREAM = { device: 'GPU', process: 'GPU 1, process 88', name: 'stream 7' } as const;

test.each([
  [STREAM, 'GPU 1, stream 7', 'algo-1 › GPU 1, process 88 › stream 7'],
  [{ name: 'thread 4' }, 'thread 4', 'algo-1 › CPU › python › thread 4'],
  [{ name: '' }, 'track 3', 'algo-1 › CPU › python › 3'],
  [{ ...STREAM, process: 'others', name: 'others' }, 'others', 'algo-1 › GPU › others › others'],
  [{ ...STREAM, process: 'GPU 0', host: '' }, 'GPU 0, stream 7', 'GPU 0 › stream 7'],
])('%o', (changes, name, title) => {
  const track = trackOf(3, changes);
  expect([trackName(track), trackTitle(track)]).toEqual([name, title]);
});
