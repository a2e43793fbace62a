import { expect, test } from 'vitest';
import { rgbOf } from './palette';

test.each([
  ['#1a2028', [26, 32, 40]],
  [' #fff', [255, 255, 255]],
  ['#0b62a30d', [11, 98, 163]],
  ['white', [128, 128, 128]],
])('%s', (text, rgb) => {
  expect(rgbOf(text)).toEqual(rgb);
});
