import { expect, test } from 'vitest';
import { ended, sentence } from './states';

test.each([
  ['no such file', 'No such file.'],
  ['Already one.', 'Already one.'],
  ['really?', 'Really?'],
  ['', '.'],
])('sentence %j: %j', (words, whole) => {
  expect(sentence(words)).toBe(whole);
});

test('ended keeps the case', () => {
  expect(ended('lr is 0')).toBe('lr is 0.');
});
