import { expect, test } from 'vitest';
import { rowLabels, shortNames } from './heat_axes';

test.each([
  [
    ['gradient/Net_conv1.weight', 'gradient/Net_fc.bias'],
    ['conv1.weight', 'fc.bias'],
  ],
  [
    ['gradient/a', 'gradient/b'], // There is room.
    ['gradient/a', 'gradient/b'],
  ],
  [
    ['layers.10.a.weight', 'layers.11.a.weight'],
    ['10.a.weight', '11.a.weight'],
  ],
  [['one/that/is/long.weight'], ['weight']],
  [
    ['a/b/c/d/e/f/g/h/', 'a/b/c/d/e/f/g/h/'],
    ['a/b/c/d/e/f/g/h/', 'a/b/c/d/e/f/g/h/'],
  ],
  [
    ['weight_of_a_layer', 'bias_of_a_layer'],
    ['weight_of_a_layer', 'bias_of_a_layer'],
  ],
  [
    ['', 'a_name_that_is_long'],
    ['', 'a_name_that_is_long'],
  ],
  [[], []],
])('%j', (names, short) => {
  expect(shortNames(names, 80)).toEqual(short);
});

const blocks = (name: (i: number) => string): string[] =>
  Array.from({ length: 12 }, (_, i) => name(i));

test.each([
  [blocks((i) => `stage1.${i}.convolution.weight`)],
  [blocks((i) => `encoder.layer.${i}.attention.self.query.weight`)],
  [blocks((i) => `block.mixed_${i}_branch_convolution_kernel.${i % 2 ? 'weight' : 'bias_of_it'}`)],
  [[...blocks((i) => `body.${i}.feed.forward`), 'classification_head.weight']],
])('labels on a phone differ: %#', (rows) => {
  const labels = rowLabels(rows, 75);
  expect(new Set(labels).size).toBe(rows.length);
  for (const label of labels) expect(label.length).toBeLessThanOrEqual(11);
});

test('labels with room are the names', () => {
  expect(rowLabels(['a.weight', 'b.weight'], 200)).toEqual(['a.weight', 'b.weight']);
  expect(rowLabels(['same', 'same'], 200)).toEqual(['same', 'same']);
  expect(rowLabels([], 75)).toEqual([]);
});
