import { expect, test } from 'vitest';
import { partOfLog } from './exported_log';
import type { LogPage } from './types';

const LOG: LogPage = {
  lines: [
    { time: 1, text: 'step 1', position: 500 },
    { time: 2, text: '\u001b[33mWARNING\u001b[0m: slow', position: 510, level: 'warning' },
    { time: 3, text: 'ValueError: no', position: 900, level: 'error' },
  ],
  previous: '500',
  next: '920',
  older: true,
  newer: false,
  kept: [
    [0, 50],
    [100, 530],
    [900, 920],
  ],
  hosts: ['local'],
};
const texts = (query: string): string[] =>
  partOfLog(LOG, new URLSearchParams(query)).lines.map(({ text }) => text);

test('what is older is left out, and there is nothing newer', () => {
  const log = partOfLog(LOG, new URLSearchParams());
  expect(log).toEqual({
    ...LOG,
    older: false,
    kept: [
      [500, 530],
      [900, 920],
    ],
  });
  expect(texts('before=510')).toEqual([]);
  expect(texts('after=500')).toEqual([]);
});

test('its lines are searched', () => {
  expect(texts('q=STEP')).toEqual(['step 1']);
  expect(texts('q=warning:+slow')).toHaveLength(1);
  expect(texts('q=33m')).toEqual([]);
  expect(texts('level=warning')).toHaveLength(2);
  expect(texts('level=error')).toEqual(['ValueError: no']);
  expect(texts('level=error&q=step')).toEqual([]);
});

test.each([
  ['0', 500],
  ['2', 510],
  ['2.5', 900],
  ['99', 920],
])('the moment %s is at %i', (at, here) => {
  expect(partOfLog(LOG, new URLSearchParams({ at })).here).toBe(here);
  expect(texts(`at=${at}`)).toHaveLength(3);
});

test('an empty log stays empty', () => {
  const none = { ...LOG, lines: [], kept: [], next: '0', older: false };
  expect(partOfLog(none, new URLSearchParams({ at: '5' }))).toEqual({ ...none, here: 0 });
});
