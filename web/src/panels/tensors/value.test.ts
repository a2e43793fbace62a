import { describe, expect, test } from 'vitest';
import { axisOf } from './slices';
import { numberOf, placeOf, writeValue } from './value';

describe('writeValue', () => {
  test.each([
    ['text', 'text'],
    [NaN, 'NaN'],
    [Infinity, '∞'],
    [-Infinity, '−∞'],
    [0, '0'],
    [123456789, '123456789'],
    [-1e14, '-100000000000000'],
    [1e15, '1000000000000000'],
    [1.5e21, '1.5e+21'],
    [0.1 + 0.2, '0.3'],
    [1.23456789, '1.23457'],
    [-1.5e-10, '-1.5e-10'],
  ])('%j: %s', (value, text) => {
    expect(writeValue(value)).toBe(text);
  });

  test('all digits', () => {
    expect(writeValue(0.1 + 0.2, 17)).toBe('0.30000000000000004');
  });
});

test('numberOf', () => {
  expect(
    [1.5, 'NaN', 'Infinity', '-Infinity', null, undefined].map((value) =>
      numberOf(value as number),
    ),
  ).toEqual([1.5, NaN, Infinity, -Infinity, NaN, NaN]);
});

test('placeOf', () => {
  expect([0, 1, 2].map((i) => placeOf(axisOf('10:2:-3', 20), i))).toEqual([10, 7, 4]);
});
