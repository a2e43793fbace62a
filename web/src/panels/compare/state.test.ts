import { describe, expect, test } from 'vitest';
import { letter, readState, writeState } from './state';

const read = (text: string, base: string | null = null) =>
  readState(new URLSearchParams(text), base);
const again = (text: string, base: string | null = null): string =>
  writeState(read(text, base), base).toString();

describe('readState', () => {
  test('defaults', () => {
    expect(read('')).toMatchObject({
      runs: [],
      against: 1,
      mode: 'GLOBAL',
      sort: 'difference',
      down: true,
      range: null,
      hidden: [],
    });
  });

  test('runs by their letters, without gaps and duplicates', () => {
    expect(read('a=x&b=&c=y&d=x&e=z').runs).toEqual(['x', 'y', 'z']);
  });

  test("the panel's run comes first, whatever the URL says", () => {
    expect(read('a=other&b=y', 'own').runs).toEqual(['own', 'y']);
    expect(read('b=own', 'own').runs).toEqual(['own']);
  });

  test('x is a run, and not the axis', () => {
    expect(read('a=y&x=time&axis=epoch')).toMatchObject({
      runs: ['y', 'time'],
      look: { x: 'epoch' },
    });
  });

  test('any number: after the letters come more', () => {
    const letters = Array.from({ length: 26 }, (_, i) => `${letter(i)}=r${i}`);
    const text = [...letters, 'more=r26', 'more=r27', 'more=r3'].join('&');
    expect(read(text).runs).toHaveLength(28);
    expect(again(text)).toBe([...letters, 'more=r26', 'more=r27'].join('&'));
  });

  test.each([
    ['a=x&b=y&c=z&against=2', 2],
    ['a=x&b=y&against=7', 1],
    ['a=x&b=y&against=0', 1],
    ['a=x&b=y&against=-3', 1],
    ['a=x&b=y&c=z&against=2.9', 2],
    ['a=x&b=y&against=many', 1],
    ['a=x&against=1', 1],
  ])('%s compares with %i', (text, against) => {
    expect(read(text).against).toBe(against);
  });

  test('unknown words are defaults', () => {
    expect(read('mode=OTHER&sort=constructor&order=sideways&from=9&to=1')).toMatchObject({
      mode: 'GLOBAL',
      sort: 'difference',
      down: true,
      range: null,
    });
  });
});

describe('writeState', () => {
  test.each([
    '',
    'a=x&b=y',
    'a=x&b=y&c=z&against=2&tensor=t%2F1&statistic=l2&collection=w&search=a+b&metrics=loss&mode=EVAL&equal=1&all=1&sort=tensor&order=up&axis=epoch&smooth=0.5&log=1&clip=1&worker=w&mean=1&from=5&to=50&chart=loss&hide=y&hide=z',
    'a=x&axis=time&window=20',
  ])('%j stays the same', (text) => {
    expect(again(text)).toBe(text);
  });

  test('only compared runs can be hidden', () => {
    expect(again('a=x&b=y&hide=z&hide=y')).toBe('a=x&b=y&hide=y');
  });

  test("the panel's own run is not in its URL", () => {
    expect(again('b=y', 'own')).toBe('b=y');
  });
});
