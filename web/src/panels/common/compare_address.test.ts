import { expect, test } from 'vitest';
import { letter, readRuns, writeRuns } from './compare_address';

const runs = (count: number): string[] => Array.from({ length: count }, (_, i) => `run & ${i}`);

test.each([0, 1, 2, 26, 27, 100])('%i runs are read as they were written', (count) => {
  const params = new URLSearchParams();
  writeRuns(params, runs(count));
  const again = new URLSearchParams(params.toString());
  expect(readRuns(again).filter(Boolean)).toEqual(runs(count));
});

test('the first may be known otherwise', () => {
  const params = new URLSearchParams();
  writeRuns(params, ['own', 'other'], 1);
  expect(params.toString()).toBe('b=other');
});

test('letters, then numbers', () => {
  expect([0, 25, 26, 99].map(letter)).toEqual(['a', 'z', '27', '100']);
});
