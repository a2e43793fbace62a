import { describe, expect, test } from 'vitest';
import { readPlace, writePlace } from './address';

const read = (text: string) => readPlace(new URLSearchParams(text));
const again = (text: string): string => writePlace(read(text), [0, 1e6]).toString();

test.each([
  '',
  'from=100&to=20000&range=5.00%7E500.00&event=0&search=a+b&closed=x&closed=y%2Fz&tab=statistics&arrows=1&at=12.5',
  'tab=flame&by=track%3A7&whole=1&step=12&mode=EVAL&process=algo-1-88',
])('%j stays the same', (text) => {
  expect(again(text)).toBe(text);
});

describe('readPlace', () => {
  test('defaults', () => {
    expect(read('')).toEqual({
      window: null,
      range: null,
      event: null,
      search: '',
      closed: new Set(),
      pinned: new Set(),
      tab: '',
      arrows: false,
      at: null,
      flame: { by: 'thread', whole: false },
      step: { step: null, mode: '', process: '' },
    });
  });

  test.each([
    'range=5',
    'range=9~3',
    'range=a~b',
    'range=~',
    'from=1',
    'event=-1',
    'event=x',
    'at=',
  ])('%s is ignored', (text) => {
    expect(read(text)).toEqual(read(''));
  });
});

describe('writePlace', () => {
  test('pinned tracks come back', () => {
    const place = { ...read(''), pinned: new Set(['track:2', 'counter:algo-1/cpu']) };
    expect(read(writePlace(place, [0, 1]).toString()).pinned).toEqual(place.pinned);
  });

  const written = (from: number, to: number): string =>
    writePlace({ ...read(''), window: [from, to] }, [0, 1e6]).toString();

  test('everything needs no window', () => {
    expect(written(0, 1e6)).toBe('');
    expect(written(-5, 2e6)).toBe('');
    expect(written(0, 5e5)).not.toBe('');
  });

  test.each([
    [123456.789, 623456.789, 'from=123457&to=623457'],
    [10.123456, 20.123456, 'from=10.123&to=20.123'],
    [1.12345678, 1.22345678, 'from=1.12346&to=1.22346'],
  ])('%f to %f: as many digits as pixels need', (from, to, text) => {
    expect(written(from, to)).toBe(text);
  });

  test('the rounded window is hardly another', () => {
    for (const span of [0.1, 3, 77, 5e4]) {
      const { window } = read(written(1000.123456, 1000.123456 + span));
      const [from, to] = window ?? [0, 0];
      expect(Math.abs(from - 1000.123456)).toBeLessThan(span / 1000);
      expect(Math.abs(to - from - span)).toBeLessThan(span / 1000);
    }
  });
});
