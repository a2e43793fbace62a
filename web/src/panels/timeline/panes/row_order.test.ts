import { expect, test } from 'vitest';
import { inOrder } from './row_order';

const ROWS = [
  { name: 'op10', time: 2 },
  { name: 'op2', time: -1 },
  { name: 'Op1', time: 2 },
];
const names = (rows: typeof ROWS): string[] => rows.map(({ name }) => name);
const byName = { value: ({ name }: (typeof ROWS)[number]) => name };
const byTime = { value: ({ time }: (typeof ROWS)[number]) => time };

test('names by the numbers in them', () => {
  expect(names(inOrder(ROWS, byName, true))).toEqual(['Op1', 'op2', 'op10']);
  expect(names(inOrder(ROWS, byName, false))).toEqual(['op10', 'op2', 'Op1']);
});

test('numbers; ties keep their order in both directions', () => {
  expect(names(inOrder(ROWS, byTime, true))).toEqual(['op2', 'op10', 'Op1']);
  expect(names(inOrder(ROWS, byTime, false))).toEqual(['op10', 'Op1', 'op2']);
});

test('no column, and the rows themselves, stay as they are', () => {
  expect(inOrder(ROWS, undefined, true)).toBe(ROWS);
  inOrder(ROWS, byName, true);
  expect(names(ROWS)).toEqual(['op10', 'op2', 'Op1']);
});
