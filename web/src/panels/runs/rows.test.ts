import { expect, test } from 'vitest';
import { rowsIn } from './rows';

test.each([
  ['at the top', [0, 400, 40, 1000], [0, 20]],
  ['below the start of the page', [-100, 400, 40, 1000], [0, 18]],
  ['in the middle', [4000, 400, 40, 1000], [90, 120]],
  ['at the end', [39600, 400, 40, 1000], [980, 1000]],
  ['scrolled past a list that became short', [39600, 400, 40, 5], [5, 5]],
  ['a short list', [0, 400, 40, 3], [0, 3]],
  ['no rows', [0, 400, 40, 0], [0, 0]],
  ['not reached yet', [-9000, 400, 40, 1000], [0, 0]],
] as [string, [number, number, number, number], [number, number]][])('%s', (_, place, rows) => {
  expect(rowsIn(...place)).toEqual(rows);
});
