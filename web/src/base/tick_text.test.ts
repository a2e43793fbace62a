import { expect, test } from 'vitest';
import { figure } from './format';
import { tickText, tickWriter } from './tick_text';

test.each([
  [0.5, 0.25, '0.5'],
  [100.2, 0.1, '100.2'],
  [1e8, 1e7, '1.0e8'],
  [1234, 1, '1,234'],
])('%d, %d apart: %s', (value, step, text) => {
  expect(tickText(value, step)).toBe(text);
});

test('the usual notation if that is enough', () => {
  expect(tickWriter([0, 50, 100])).toBe(figure);
  expect(tickWriter([])).toBe(figure);
  expect(tickWriter([5, 5])).toBe(figure);
});

test.each([
  [
    [100, 100.2, 100.4, 100.6],
    ['100', '100.2', '100.4', '100.6'],
  ],
  [
    [0.12344, 0.12346, 0.12348],
    ['0.12344', '0.12346', '0.12348'],
  ],
  [
    [1000.5, 1001],
    ['1,000.5', '1,001'],
  ],
])('ticks that look alike get more digits: %j', (at, texts) => {
  expect(at.map(tickWriter(at))).toEqual(texts);
});
