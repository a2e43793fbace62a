import { expect, test } from 'vitest';
import { fontAt, labelOf } from './labels';

// Every letter is six pixels wide.
const label = (name: string, room: number): string =>
  labelOf(name, Math.min(200, name.length) * 6, room);

test.each([
  ['matmul', 36, 'matmul'],
  ['matmul', 35, 'matm…'],
  ['matmul', 24, 'mat…'],
  ['matmul', 18, 'ma…'],
  ['matmul', 17, ''],
  ['matmul', -5, ''],
  ['', 10, ''],
])('%j in %i pixels: %j', (name, room, text) => {
  expect(label(name, room)).toBe(text);
});

test('very long names', () => {
  expect(label('x'.repeat(5000), 1e6)).toHaveLength(200);
  expect(label('x'.repeat(5000), 600)).toHaveLength(100);
});

test('the font is as sharp as the screen', () => {
  expect(fontAt(1)).toMatch(/^11px /);
  expect(fontAt(1.5)).toMatch(/^17px /);
});
