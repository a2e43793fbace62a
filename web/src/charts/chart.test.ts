import { describe, expect, test } from 'vitest';
import { colour, fitted } from './chart';

describe('fitted', () => {
  test.each([
    ['short', 100, 'short'],
    ['', 0, ''],
    ['exactly ten', 6.6 * 11, 'exactly ten'],
    ['layer4.conv2.weight', 66, 'layer…ight'],
    ['abcdefgh', 0, 'ab…h'],
    ['abcd', -50, 'abcd'],
  ])('%s in %f pixels: %s', (name, pixels, text) => {
    expect(fitted(name, pixels)).toBe(text);
  });

  test('never longer than what fits', () => {
    for (let most = 4; most < 30; ++most)
      expect(fitted('x'.repeat(50), most * 6.6 + 0.1)).toHaveLength(most);
  });
});

test('colors repeat', () => {
  expect([0, 7, 8, 17].map(colour)).toEqual(['s0', 's7', 's0', 's1']);
});
