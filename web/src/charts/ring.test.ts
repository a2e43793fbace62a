import { describe, expect, test } from 'vitest';
import { ring, SIZE } from './ring';

// The first point of a path.
const start = (path: string): number[] =>
  (/^M(\S+) ([\d.]+)/.exec(path) ?? []).slice(1).map(Number);

describe('ring', () => {
  test('begins at the top and runs clockwise', () => {
    expect(start(ring(0, 0.25))).toEqual([SIZE / 2, 4]);
    expect(start(ring(0.25, 0.5))).toEqual([SIZE - 4, SIZE / 2]);
  });

  test('more than half a turn is a large arc', () => {
    expect(ring(0, 0.4)).toContain('A80 80 0 0 1');
    expect(ring(0, 0.6)).toContain('A80 80 0 1 1');
    expect(ring(0.2, 0.7)).toContain('A80 80 0 0 1');
  });

  test.each([1, 0.99999])('%f of a turn is two circles, without a seam', (to) => {
    expect(ring(0, to).match(/M/g)).toHaveLength(2);
    expect(ring(0, to)).not.toContain('L');
  });

  test('no piece has NaN in it', () => {
    for (const to of [0, 1e-9, 0.5, 1]) expect(ring(0, to)).not.toContain('NaN');
  });
});
