import { describe, expect, test } from 'vitest';
import { numberParam, rangeParam, textsParam, writeTexts } from './params';

describe('numberParam', () => {
  test.each([
    ['0', 0],
    ['-1.5e3', -1500],
    [' 7 ', 7],
    ['', null],
    ['  ', null],
    [null, null],
    ['7px', null],
    ['NaN', null],
    ['Infinity', null],
    ['1e999', null],
  ])('%j is %j', (text, value) => {
    expect(numberParam(text)).toBe(value);
  });
});

describe('rangeParam', () => {
  test('a range', () => {
    expect(rangeParam('-1', '2.5')).toEqual([-1, 2.5]);
  });

  test.each([
    ['5', '5'],
    ['6', '5'],
    [null, '5'],
    ['', '5'],
    ['0', 'x'],
    ['-Infinity', '5'],
  ])('%j to %j is none', (from, to) => {
    expect(rangeParam(from, to)).toBeNull();
  });
});

test('lists are written as they are read, without duplicates', () => {
  const params = new URLSearchParams('hide=a+b&x=1&hide=&hide=c&hide=c');
  expect(textsParam(params, 'hide')).toEqual(['a b', 'c']);
  writeTexts(params, 'hide', ['c', 'd']);
  expect(params.toString()).toBe('x=1&hide=c&hide=d');
});
