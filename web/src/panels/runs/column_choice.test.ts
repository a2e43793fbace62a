import { describe, expect, test } from 'vitest';
import { added, DEFAULT_COLUMNS, moved, movedBy, readColumns, writeColumns } from './column_choice';

const read = (query: string): string[] => readColumns(new URLSearchParams(query));

describe('columns in the URL', () => {
  test('the order is kept', () => {
    const params = new URLSearchParams('sort=age');
    const ids = ['last:loss', 'status', 'param:a%2Cb', 'min:train%2Floss'];
    writeColumns(params, ids);
    expect(read(params.toString())).toEqual(ids);
    expect(params.get('sort')).toBe('age');
  });

  test('those that are there without a choice are not written', () => {
    const params = new URLSearchParams('columns=status');
    writeColumns(params, DEFAULT_COLUMNS);
    expect(params.has('columns')).toBe(false);
    expect(read('')).toEqual(DEFAULT_COLUMNS);
  });

  test('none at all', () => {
    const params = new URLSearchParams();
    writeColumns(params, []);
    expect(read(params.toString())).toEqual([]);
  });

  test('what is not a column is left out', () => {
    expect(read('columns=status,x,name,status,param:,constructor')).toEqual(['status']);
  });
});

test.each([
  ['a', 0, ['a', 'b', 'c']],
  ['a', 1, ['b', 'a', 'c']],
  ['c', 0, ['c', 'a', 'b']],
  ['b', 9, ['a', 'c', 'b']],
  ['b', -9, ['b', 'a', 'c']],
  ['x', 0, ['a', 'b', 'c']],
])('%s to place %i', (id, to, expected) => {
  expect(moved(['a', 'b', 'c'], id, to)).toEqual(expected);
});

test('by one place', () => {
  expect(movedBy(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b']);
  expect(movedBy(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c']);
});

test('a new column', () => {
  expect(added(['step', 'tags', 'parameters'], 'param:lr')).toEqual([
    ...['step', 'param:lr', 'tags', 'parameters'],
  ]);
  expect(added(['tags', 'step'], 'param:lr')).toEqual(['tags', 'step', 'param:lr']);
  expect(added(['step', 'tags'], 'age')).toEqual(['step', 'tags', 'age']);
  expect(added([], 'last:loss')).toEqual(['last:loss']);
});
