import { describe, expect, test } from 'vitest';
import type { LogPage } from '../../api/types';
import { LogWindow, MOST_LINES, sizeWords } from './log_window';

// Lines of ten bytes, one each second, from position 10 * first on.
const page = (first: number, end: number, more: Partial<LogPage> = {}): LogPage => ({
  lines: Array.from({ length: end - first }, (_, i) => ({
    time: first + i,
    text: `line ${first + i}`,
    position: 10 * (first + i),
  })),
  previous: String(10 * first),
  next: String(10 * end),
  older: first > 0,
  newer: false,
  kept: [[0, 100_000]],
  hosts: ['local'],
  ...more,
});
const range = ({ lines }: LogWindow): (number | undefined)[] => [
  lines[0]?.time,
  lines.at(-1)?.time,
];

describe('the window', () => {
  test('grows to both sides', () => {
    const log = new LogWindow(page(500, 600, { newer: true }));
    expect(log.query('older')).toEqual({ before: '5000' });
    expect(log.query('newer')).toEqual({ after: '6000' });
    expect(log.add('older', page(400, 500))).toBe(0);
    expect(log.add('newer', page(600, 700))).toBe(0);
    expect(range(log)).toEqual([400, 699]);
    expect(log.query('older')).toEqual({ before: '4000' });
    expect(log.query('newer')).toEqual({ after: '7000' });
    expect([log.older, log.newer]).toEqual([true, false]);
  });

  test('is limited, and what was dropped can be loaded again', () => {
    const log = new LogWindow(page(MOST_LINES, 2 * MOST_LINES));
    expect(log.add('older', page(MOST_LINES - 500, MOST_LINES))).toBe(500);
    expect(range(log)).toEqual([MOST_LINES - 500, 2 * MOST_LINES - 501]);
    expect(log.newer).toBe(true);
    expect(log.query('newer')).toEqual({ after: String(10 * (2 * MOST_LINES - 500)) });
    const again = page(2 * MOST_LINES - 500, 2 * MOST_LINES);
    expect(log.add('newer', again)).toBe(500);
    expect(range(log)).toEqual([MOST_LINES, 2 * MOST_LINES - 1]);
    expect(log.query('older')).toEqual({ before: String(10 * MOST_LINES) });
    expect([log.older, log.newer]).toEqual([true, false]);
  });

  test('empty answers move the search', () => {
    const log = new LogWindow(page(500, 500));
    expect(log.unfinished).toBe('older');
    log.add('older', { ...page(200, 200), older: true });
    expect(log.query('older')).toEqual({ before: '2000' });
    log.add('older', { ...page(0, 2), older: false });
    expect(log.unfinished).toBe(null);
    expect(range(log)).toEqual([0, 1]);
  });

  test('a search continues until there is enough', () => {
    expect(new LogWindow(page(400, 500)).unfinished).toBe(null);
    expect(new LogWindow(page(401, 500)).unfinished).toBe('older');
    expect(new LogWindow(page(401, 500, { newer: true })).unfinished).toBe('older');
    expect(new LogWindow(page(401, 500, { newer: true, here: 4500 })).unfinished).toBe('older');
    expect(new LogWindow(page(300, 500, { newer: true, here: 9000 })).unfinished).toBe('newer');
  });
});

describe('what was left out', () => {
  const kept: LogPage['kept'] = [
    [40, 100],
    [500, 550],
    [600, 700],
  ];

  test('is before the line that follows it', () => {
    const log = new LogWindow(page(8, 10, { kept, older: false }));
    log.add('newer', page(50, 70, { kept }));
    expect(log.lines.map((_, i) => log.leftOutBefore(i))).toEqual([
      ...[0, 0, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50],
      ...[0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]);
    expect(log.leftOutAtBegin).toBe(40);
  });

  test('is shown once all before is loaded, and between lines of a search', () => {
    const log = new LogWindow(page(62, 63, { kept }));
    expect(log.leftOutBefore(0)).toBe(0);
    log.add('older', page(8, 9, { kept }));
    expect(log.leftOutBefore(1)).toBe(450);
    expect(new LogWindow(page(62, 63, { kept, previous: '590' })).leftOutBefore(0)).toBe(50);
  });

  test('has words', () => {
    expect(sizeWords(24_100_000)).toBe('24.1 MB');
    expect(sizeWords(12)).toBe('0.001 MB');
  });
});

describe('a moment', () => {
  const kept: LogPage['kept'] = [
    [0, 100],
    [500, 1000],
  ];

  test.each([
    [{ here: 520 }, 52, 2, 'The first line at or after 1970-01-01 00:00:52 UTC is marked.'],
    [{ here: 500 }, 50, 0, 'The first line at or after 1970-01-01 00:00:50 UTC is marked.'],
    [
      { here: 500 },
      20,
      0,
      'The output at 1970-01-01 00:00:20 UTC was left out. The first line after it is marked.',
    ],
    [
      { here: 1000 },
      500,
      49,
      'No line at or after 1970-01-01 00:08:20 UTC. The last one is marked.',
    ],
    [{}, 500, -1, ''],
  ])('%j, %i: %i', (here, at, marked, words) => {
    const log = new LogWindow(page(50, 100, { kept, ...here }));
    expect(log.marked).toBe(marked);
    expect(log.momentWords(at, false)).toBe(words);
  });

  test('is not another one when its line is dropped', () => {
    const log = new LogWindow(page(6000, 6500, { here: 62_000, newer: true }));
    expect(log.marked).toBe(200);
    log.add('newer', page(6500, 6000 + MOST_LINES, { newer: true }));
    log.add('newer', page(6000 + MOST_LINES, 6500 + MOST_LINES));
    expect(log.marked).toBe(-1);
    expect(log.momentWords(6200, false)).toBe('');
    log.add('older', page(6000, 6500));
    expect(log.marked).toBe(200);
  });

  test('may come later', () => {
    const log = new LogWindow(page(0, 5, { here: 50 }));
    expect(log.marked).toBe(4);
    log.add('newer', page(5, 7));
    expect(log.marked).toBe(5);
    log.add('newer', page(7, 9));
    expect(log.marked).toBe(5);
  });

  test('of a search', () => {
    const log = new LogWindow(page(70, 71, { kept, here: 520 }));
    expect(log.marked).toBe(0);
    expect(log.momentWords(52, true)).toMatch(/^The first matching line at or after/);
    const none = new LogWindow(page(70, 70, { kept, here: 520 }));
    expect(none.marked).toBe(-1);
    expect(none.momentWords(52, true)).toBe('');
  });
});
