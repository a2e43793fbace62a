import { expect, test } from 'vitest';
import { shortNames } from './heat_axes';

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
