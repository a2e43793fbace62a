import { describe, expect, test } from 'vitest';
import { type Difference, firstApart, percent, sorted, unread } from './difference_order';
import type { SortKey } from './state';

const rowOf = (tensor: string, changes: Partial<Difference> = {}): Difference => ({
  tensor,
  steps: 10,
  last_step: 9,
  a: 1,
  b: 1,
  difference: 0,
  first_step: null,
  ...changes,
});
const names = (rows: Difference[], sort: SortKey, down = true): string[] =>
  sorted(rows, { sort, down }).map(({ tensor }) => tensor);

describe('sorted', () => {
  test('the largest difference first; one that is not finite matters most', () => {
    const rows = [
      rowOf('small', { difference: 0.1 }),
      rowOf('nan', { difference: null }),
      rowOf('apart', { difference: null, steps: 0 }),
      rowOf('large', { difference: 2 }),
      rowOf('none'),
    ];
    expect(names(rows, 'difference')).toEqual(['nan', 'large', 'small', 'none', 'apart']);
    expect(names(rows, 'difference', false)).toEqual(['apart', 'none', 'small', 'large', 'nan']);
  });

  test('the earliest step first; never last', () => {
    const rows = [
      rowOf('never'),
      rowOf('late', { first_step: 9 }),
      rowOf('zero', { first_step: 0 }),
    ];
    expect(names(rows, 'first_step', false)).toEqual(['zero', 'late', 'never']);
  });

  test('names from A to Z, by the numbers in them', () => {
    const rows = [rowOf('layer.10'), rowOf('layer.2'), rowOf('Bias')];
    expect(names(rows, 'tensor')).toEqual(['Bias', 'layer.2', 'layer.10']);
    expect(names(rows, 'tensor', false)).toEqual(['layer.10', 'layer.2', 'Bias']);
  });

  test('values; missing ones are the smallest', () => {
    const rows = [
      rowOf('minus', { a: -5 }),
      rowOf('missing', { a: null }),
      rowOf('plus', { a: 5 }),
    ];
    expect(names(rows, 'a')).toEqual(['plus', 'minus', 'missing']);
  });

  test('ties keep their order, and the rows are not changed', () => {
    const rows = [rowOf('b'), rowOf('a'), rowOf('c')];
    expect(names(rows, 'difference')).toEqual(['b', 'a', 'c']);
    expect(names(rows, 'first_step', false)).toEqual(['b', 'a', 'c']);
    expect(rows.map(({ tensor }) => tensor)).toEqual(['b', 'a', 'c']);
    expect(names([], 'a')).toEqual([]);
  });
});

test.each([
  [null, 'not finite'],
  [0, 'none'],
  [1e-9, '< 0.001 %'],
  [0.00001, '0.001 %'],
  [0.5, '50 %'],
  [2, '200 %'],
])('%j: %s', (share, words) => {
  expect(percent(share)).toBe(words);
});

test('unread tells that differences are preliminary', () => {
  const none = { only_a: [], only_b: [], tensors: [] };
  const all = { steps: 7, total: 7, done: true };
  expect(unread(none)).toBe('');
  expect(unread({ ...none, ingested: { a: all, b: all } })).toBe('');
  expect(unread({ ...none, ingested: { a: all, b: { steps: 2, total: 7, done: false } } })).toBe(
    'Still reading run B: 2 of 7 steps. ',
  );
});

describe('firstApart', () => {
  test('the earliest, the first of several', () => {
    const rows = [
      rowOf('late', { first_step: 9 }),
      rowOf('never'),
      rowOf('x', { first_step: 3 }),
      rowOf('y', { first_step: 3 }),
    ];
    expect(firstApart(rows)).toEqual({ row: rows[2], together: 2 });
  });

  test('nothing differs', () => {
    expect(firstApart([rowOf('a')])).toBeNull();
    expect(firstApart([])).toBeNull();
  });
});
