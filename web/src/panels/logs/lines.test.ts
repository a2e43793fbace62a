import { describe, expect, test } from 'vitest';
import { parts } from './lines';

describe('parts', () => {
  test.each([
    ['Loss loss', 'LOSS', ['', 'Loss', ' ', 'loss', '']],
    ['Loss', '', ['Loss']],
    ['Loss', 'acc', ['Loss']],
    ['', 'x', ['']],
    ['aaa', 'aa', ['', 'aa', 'a']],
    ['f(x) = [1.5]*$', '(x) = [1.5]*$', ['f', '(x) = [1.5]*$', '']],
    ['a\\b|c', '\\b|', ['a', '\\b|', 'c']],
    ['a.c abc', 'a.c', ['', 'a.c', ' abc']],
  ])('%j, %j', (text, search, expected) => {
    expect(parts(text, search)).toEqual(expected);
  });

  test('letters that are longer in lower case do not shift the matches', () => {
    expect(parts('İİ error', 'ERROR')).toEqual(['İİ ', 'error', '']);
  });

  test('nothing is lost', () => {
    expect(parts('step 1: loss 0.5, loss 0.4', 'loss').join('')).toBe('step 1: loss 0.5, loss 0.4');
  });
});
