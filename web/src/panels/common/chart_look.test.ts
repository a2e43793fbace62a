import { describe, expect, test } from 'vitest';
import { readLook, writeLook } from './chart_look';

const read = (query: string): ReturnType<typeof readLook> => readLook(new URLSearchParams(query));

describe('ChartLook', () => {
  test('what is written is read', () => {
    const look = {
      x: 'relative',
      smooth: 0.6,
      window: 25,
      log: true,
      clip: true,
      worker: 'w_1',
    } as const;
    const params = new URLSearchParams('from=1');
    writeLook(look, params);
    expect(params.toString()).toBe(
      'from=1&x=relative&smooth=0.6&window=25&log=1&clip=1&worker=w_1',
    );
    expect(readLook(params)).toEqual(look);
  });

  test('defaults are not in the URL', () => {
    const params = new URLSearchParams('x=time&smooth=0.3&window=4&log=1&clip=1&worker=w_1');
    writeLook(read(''), params);
    expect(params.toString()).toBe('');
  });

  test.each(['x=toString&smooth=x&log=yes', 'x=&smooth=-3&log=0&window=-1', 'smooth=NaN&window=x'])(
    'anything can be in the URL: %s',
    (query) => {
      expect(read(query)).toEqual({
        x: 'step',
        smooth: 0,
        window: 0,
        log: false,
        clip: false,
        worker: '',
      });
    },
  );

  test('never smooth to a straight line', () => {
    expect(read('smooth=7').smooth).toBe(0.99);
    expect(read('window=9999').window).toBe(200);
  });
});
