import { describe, expect, test } from 'vitest';
import { many, moment, share, span } from './words';

describe('span', () => {
  test.each([
    [0, '0 s'],
    [0.0005, '0.5 ns'],
    [0.85, '850 ns'],
    [1, '1 µs'],
    [12.34, '12.3 µs'],
    [4.07e6, '4.07 s'],
    [3.6e9, '1:00:00'],
    [-0.5, '-500 ns'],
    [NaN, '–'],
    [Infinity, '–'],
  ])('%f µs: %s', (us, text) => {
    expect(span(us)).toBe(text);
  });
});

describe('moment', () => {
  const plain = (us: number, step: number): string => moment(us, step).replaceAll('\u202f', ' ');

  test.each([
    [65e6, 1e6, '1:05'],
    [7265e6, 60e6, '2:01:05'],
    [12e6, 1e6, '12 s'],
    [12.5e6, 2.5e6, '12.5 s'],
    [12345675, 1, '12.345 675 s'],
    [12345675.25, 0.25, '12.345 675 25 s'],
    [1.5, 0.5, '0.000 001 5 s'],
    [65e6, 1000, '65.000 s'],
    [0, 1, '0.000 000 s'],
    [-0.0001, 1e5, '0.0 s'],
    [-5e6, 1e6, '-5 s'],
  ])('%f µs with ticks every %f: %s', (us, step, text) => {
    expect(plain(us, step)).toBe(text);
  });

  test('neighbors differ', () => {
    for (const step of [0.25, 1, 250, 2e4, 5e5])
      expect(moment(1e7, step)).not.toBe(moment(1e7 + step, step));
  });

  test('a step of zero has an end', () => {
    expect(moment(1, 0).length).toBeLessThan(20);
  });
});

test('many', () => {
  expect([0, 1, 2345].map((count) => many(count, 'event'))).toEqual([
    '0 events',
    '1 event',
    '2,345 events',
  ]);
  expect(many(2, 'match', 'matches')).toBe('2 matches');
});

test.each([
  [1, 3, '33.3 %'],
  [1, 20, '5.00 %'],
  [0, 20, '0.00 %'],
  [1, 0, '–'],
])('%s of %s is %s', (part, whole, words) => {
  expect(share(part, whole)).toBe(words);
});
