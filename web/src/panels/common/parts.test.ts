import { describe, expect, test } from 'vitest';
import { inParts } from './parts';

const sizes = (names: string[]): number[] =>
  inParts(names, (name) => name).map(({ length }) => length);

describe('inParts', () => {
  test('nothing needs no request', () => {
    expect(sizes([])).toEqual([]);
  });

  test('at most 64 names', () => {
    expect(sizes(Array.from({ length: 64 }, String))).toEqual([64]);
    expect(sizes(Array.from({ length: 130 }, String))).toEqual([64, 64, 2]);
  });

  test('long names make smaller parts', () => {
    expect(sizes(Array.from({ length: 5 }, () => 'x'.repeat(8000)))).toEqual([2, 2, 1]);
  });

  test('the length is that in the URL', () => {
    expect(sizes(['ä'.repeat(2000), 'ä'.repeat(2000)])).toEqual([1, 1]);
  });

  test('a name longer than a request is asked alone', () => {
    expect(sizes(['a', 'x'.repeat(50000), 'b'])).toEqual([1, 1, 1]);
  });

  test('the order stays', () => {
    const names = Array.from({ length: 200 }, (_, i) => `tensor ${i}`);
    expect(inParts(names, (name) => name).flat()).toEqual(names);
  });
});
