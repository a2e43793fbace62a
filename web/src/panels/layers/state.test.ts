import { expect, test } from 'vitest';
import { readState, writeState } from './state';

const again = (text: string): string => writeState(readState(new URLSearchParams(text))).toString();

test.each([
  '',
  'collection=gradients&match=conv.*&statistic=l2&worker=w1&mode=TRAIN&from=0&to=20&step=7',
  'step=0',
])('%j stays the same', (text) => {
  expect(again(text)).toBe(text);
});

test.each(['mode=OTHER', 'step=', 'step=x', 'from=5', 'from=9&to=3', 'unknown=1', 'mode=GLOBAL'])(
  '%s is a default',
  (text) => {
    expect(again(text)).toBe('');
  },
);
