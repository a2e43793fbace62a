import { expect, test } from 'vitest';
import { readState, writeState } from './state';

const again = (text: string): string => writeState(readState(new URLSearchParams(text))).toString();

test.each(['', 'of=own_seconds', 'of=tensor%2Floss&from=3&to=40'])('%j stays the same', (text) => {
  expect(again(text)).toBe(text);
});

test.each(['from=5', 'from=9&to=3', 'unknown=1'])('%s is a default', (text) => {
  expect(again(text)).toBe('');
});
