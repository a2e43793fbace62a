import { describe, expect, test } from 'vitest';
import { focused, MOST_TENSORS, readState, writeState } from './state';

const read = (text: string) => readState(new URLSearchParams(text));
const again = (text: string): string => writeState(read(text)).toString();

describe('readState', () => {
  test('defaults', () => {
    expect(read('')).toMatchObject({
      tensors: [],
      focus: 0,
      tab: 'series',
      mode: 'GLOBAL',
      step: null,
      range: null,
      image: 0,
    });
  });

  test('tensors: each once, none empty, not too many', () => {
    expect(read('tensor=a&tensor=&tensor=b&tensor=a').tensors).toEqual(['a', 'b']);
    const many = Array.from({ length: 50 }, (_, i) => `tensor=${i}`).join('&');
    expect(read(many).tensors).toHaveLength(MOST_TENSORS);
  });

  test.each([
    ['focus=1', 1],
    ['focus=9', 1],
    ['focus=-2', 0],
    ['focus=0.9', 0],
    ['focus=x', 0],
  ])('%s', (text, focus) => {
    expect(read(`tensor=a&tensor=b&${text}`).focus).toBe(focus);
  });

  test('unknown words are defaults', () => {
    expect(read('tab=other&mode=other&step=&image=-4&from=3&to=3')).toMatchObject({
      tab: 'series',
      mode: 'GLOBAL',
      step: null,
      image: 0,
      range: null,
    });
  });

  test('step 0 is a step', () => {
    expect(read('step=0').step).toBe(0);
  });
});

test.each([
  '',
  'tensor=a%2Fb&tensor=c&focus=1&tab=values&statistic=l2&mode=EVAL&worker=w&step=0&slice=0%2C%3A&view=image&from=5&to=50&scale=log&colours=each&find=w%2Ba&activation=x&gradient=y&images=z&image=3&labels=l',
])('%j stays the same', (text) => {
  expect(again(text)).toBe(text);
});

test('focused', () => {
  expect(focused(read('tensor=a&tensor=b&focus=1'))).toBe('b');
  expect(focused({ ...read('tensor=a'), focus: 5 })).toBe('a');
  expect(focused(read(''))).toBe('');
});
