import { expect, test } from 'vitest';
import { liveWords } from './live_words';

test.each([
  [false, 'live', 'Live', true],
  [false, 'connecting', 'Live', true],
  [false, 'reconnecting', 'Not live', false],
  [false, 'offline', 'Not live', false],
  [true, 'live', 'Paused', false],
  [true, 'offline', 'Paused', false],
] as const)('paused %s, %s: %s', (paused, state, words, pressed) => {
  expect(liveWords(paused, state)).toMatchObject({ words, pressed });
});

test('says why it is not live', () => {
  expect(liveWords(false, 'reconnecting').title).toContain('No connection to the server');
});
