// Any number of runs in the URL of a comparison: a to z, then 'more' again and again.

import type { RunId } from '../../api/types';

const LETTERS = 26;

// 'a', 'b', ... 'z', '27', ...
export const letter = (i: number): string =>
  i < LETTERS ? String.fromCharCode(97 + i) : String(i + 1);

export function readRuns(params: URLSearchParams): RunId[] {
  return [
    ...Array.from({ length: LETTERS }, (_, i) => params.get(letter(i)) ?? ''),
    ...params.getAll('more'),
  ];
}

// from: the index of the first to write.
export function writeRuns(params: URLSearchParams, runs: readonly RunId[], from = 0): void {
  runs.forEach((run, i) => {
    if (i < from) return;
    if (i < LETTERS) params.set(letter(i), run);
    else params.append('more', run);
  });
}
