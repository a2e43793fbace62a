import { describe, expect, test } from 'vitest';
import { duration, elapsed, figure, utc, withUnit } from './format';

describe('figure', () => {
  test.each([
    [0, '0'],
    [-0, '0'],
    [1, '1'],
    [0.5, '0.5'],
    [0.001, '0.001'],
    [0.12345, '0.123'],
    [0.9994, '0.999'],
    [0.9995, '1'],
    [1.2345, '1.23'],
    [9.994, '9.99'],
    [9.996, '10'],
    [12.345, '12.3'],
    [99.94, '99.9'],
    [99.96, '100'],
    [-1234.5, '-1,235'],
    [1234567, '1,234,567'],
  ])('%f is %s', (value, text) => {
    expect(figure(value)).toBe(text);
  });

  test.each([
    [0.0001, '0.0001'],
    [0.000123, '0.00012'],
    [-1e-7, '-1e-7'],
    [1.26e-7, '1.3e-7'],
    [5e-324, '5e-324'],
  ])('small %f has two digits: %s', (value, text) => {
    expect(figure(value)).toBe(text);
  });

  test.each([
    [999999999999999, '999,999,999,999,999'],
    [1e15, '1e+15'],
    [-3.4028e38, '-3.4e+38'],
    [1.7976931348623157e308, '1.8e+308'],
  ])('huge %f is short: %s', (value, text) => {
    expect(figure(value)).toBe(text);
  });

  test.each([NaN, Infinity, -Infinity])('%f has no digits', (value) => {
    expect(figure(value)).toBe('–');
  });
});

describe('withUnit', () => {
  test.each([
    [12.34, '%', '12.3 %'],
    [12.34, '', '12.3'],
    [3, 'W', '3 W'],
    [0, 'B/s', '0 B/s'],
    [999.4, 'B/s', '999 B/s'],
    [999.5, 'B/s', '1 kB/s'],
    [-2500, 'B/s', '-2.5 kB/s'],
    [4.2e9, 'B/s', '4.2 GB/s'],
    [5e15, 'B/s', '5,000 TB/s'],
    [0.25, 's', '250 ms'],
    [NaN, 's', '–'],
  ])('%f %s is %s', (value, unit, text) => {
    expect(withUnit(value, unit)).toBe(text);
  });
});

describe('duration', () => {
  test.each([
    [0, '0 s'],
    [-0, '0 s'],
    [1e-9, '0.001 µs'],
    [8.5e-4, '850 µs'],
    [0.0123, '12.3 ms'],
    [0.9994, '999 ms'],
    [0.9996, '1 s'],
    [2.534, '2.53 s'],
    [-2.534, '-2.53 s'],
    [119.4, '119 s'],
    [119.6, '2:00'],
    [7400, '2:03:20'],
    [NaN, '–'],
    [Infinity, '–'],
    [-Infinity, '–'],
  ])('%f is %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});

describe('elapsed', () => {
  test.each([
    [0, '0:00'],
    [59.4, '0:59'],
    [59.5, '1:00'],
    [65, '1:05'],
    [3599.7, '1:00:00'],
    [7400, '2:03:20'],
    [86400 * 3 + 4 * 3600, '3 d 4:00:00'],
    [-65, '−1:05'],
    [-0.2, '0:00'],
    [NaN, '–'],
    [-Infinity, '–'],
  ])('%f is %s', (seconds, text) => {
    expect(elapsed(seconds)).toBe(text);
  });
});

describe('utc', () => {
  test('drops the fraction', () => {
    expect(utc(0)).toBe('1970-01-01 00:00:00 UTC');
    expect(utc(1700000000.9)).toBe('2023-11-14 22:13:20 UTC');
  });

  test.each([NaN, Infinity, 1e20])('%f is not a time', (seconds) => {
    expect(utc(seconds)).toBe('');
  });
});
