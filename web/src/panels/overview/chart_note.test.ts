import { expect, test } from 'vitest';
import { chartNote } from './chart_note';

const where = (x: number): string => `step ${x}`;
const series = (...x: number[]) => ({ x: Float64Array.from(x) });

test('a single dot is explained', () => {
  expect(chartNote([series(0)], where)).toContain('Only step 0 was saved');
  expect(chartNote([series(5), series(5), series()], where)).toContain('Only step 5 was saved');
});

test.each([
  [[]],
  [[series()]],
  [[series(0, 1)]],
  [[series(0), series(0, 1)]],
  [[series(0), series(9)]],
])('nothing is said otherwise: %#', (all) => {
  expect(chartNote(all, where)).toBe('');
});
