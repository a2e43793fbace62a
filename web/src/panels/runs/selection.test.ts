import { expect, test } from 'vitest';
import { readSelection, writeSelection } from './selection';

test('what was selected is in the URL, in its order, next to the rest', () => {
  const params = new URLSearchParams('search=lr&selected=old');
  writeSelection(params, new Set(['b,1', 'a/2', 'ü']));
  expect(readSelection(new URLSearchParams(params.toString()))).toEqual(['b,1', 'a/2', 'ü']);
  expect(params.get('search')).toBe('lr');
});

test('nothing selected', () => {
  const params = new URLSearchParams('selected=a');
  writeSelection(params, []);
  expect(params.toString()).toBe('');
  expect(readSelection(params)).toEqual([]);
});

test('empty and repeated ones do not count', () => {
  expect(readSelection(new URLSearchParams('selected=&selected=a&selected=a'))).toEqual(['a']);
});

test('a URL has an end', () => {
  const params = new URLSearchParams();
  writeSelection(
    params,
    Array.from({ length: 1000 }, (_, i) => String(i)),
  );
  expect(readSelection(params)).toHaveLength(200);
});
