import { describe, expect, test } from 'vitest';
import { readLook, writeLook } from './chart_look';

const read = (query: string): ReturnType<typeof readLook> => readLook(new URLSearchParams(query));

describe('ChartLook', () => {
  test('what is written is read', () => {
    const look = { x: 'relative', smooth: 0.6, log: true } as const;
    const params = new URLSearchParams('from=1');
    writeLook(look, params);
    expect(params.toString()).toBe('from=1&x=relative&smooth=0.6&log=1');
    expect(readLook(params)).toEqual(look);
  });

  test('defaults are not in the URL', () => {
    const params = new URLSearchParams('x=time&smooth=0.3&log=1');
    writeLook(read(''), params);
    expect(params.toString()).toBe('');
  });

  test.each(['x=toString&smooth=x&log=yes', 'x=&smooth=-3&log=0', 'smooth=NaN'])(
    'anything can be in the URL: %s',
    (query) => {
      expect(read(query)).toEqual({ x: 'step', smooth: 0, log: false });
    },
  );

  test('never smooth to a straight line', () => {
    expect(read('smooth=7').smooth).toBe(0.99);
  });
});
