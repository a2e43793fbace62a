import { describe, expect, test } from 'vitest';
import { firstQuery, showsNewest } from './first_rows';

const params = (text: string): URLSearchParams => new URLSearchParams(text);

describe('the newest runs', () => {
  test.each(['', 'columns=status,param:lr'])('are enough to begin with: %s', (text) => {
    expect(showsNewest(params(text))).toBe(true);
    expect(firstQuery(params(text))).toEqual({ first: 200 });
  });

  test.each(['search=a', 'sort=-step', 'group=tags', 'plot=scatter', 'tags=a'])(
    'are not for %s',
    (text) => {
      expect(showsNewest(params(text))).toBe(false);
      expect(firstQuery(params(text))).toEqual({});
    },
  );

  test('are asked for without a selection, and stay while one is made', () => {
    expect(firstQuery(params('selected=a'))).toEqual({});
    expect(showsNewest(params('selected=a'))).toBe(true);
  });
});
