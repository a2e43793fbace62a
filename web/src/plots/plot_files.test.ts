import { expect, test } from 'vitest';
import { fileName } from './plot_files';

test.each([
  ['images loss', 'images-loss'],
  ['../../etc/passwd', 'etc-passwd'],
  ['optim/lr (TRAIN)', 'optim-lr-TRAIN'],
  ['損失', '損失'],
  ['<>', 'chart'],
  ['', 'chart'],
  ['a'.repeat(500), 'a'.repeat(100)],
])('%s: %s', (words, name) => {
  expect(fileName(words)).toBe(name);
});
