import { describe, expect, test } from 'vitest';
import {
  clock,
  cursorText,
  fittingTexts,
  valueText,
  xText,
  xTexts,
  xTicks,
  yTexts,
  yTicks,
  yAxisWidth,
} from './axes';

describe('yTicks', () => {
  test('round numbers', () => {
    expect(yTicks([0, 1], false, 4)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });

  test('powers of ten on a log axis', () => {
    expect(yTicks([0.01, 100], true, 10)).toEqual([0.01, 0.1, 1, 10, 100]);
  });

  test('every few powers if there are many', () => {
    expect(yTicks([1e-9, 1], true, 3)).toEqual([1e-9, 1e-6, 1e-3, 1]);
  });

  test('round numbers within a decade', () => {
    expect(yTicks([2, 8], true, 3)).toEqual([2, 4, 6, 8]);
    expect(yTicks([-1, 8], true, 3)).not.toContain(0);
  });

  test.each([
    [0, 10],
    [NaN, 10],
    [1, NaN],
  ])('a log axis cannot show %f to %f', (from, to) => {
    expect(yTicks([from, to], true, 5)).toEqual([]);
  });
});

describe('yTexts', () => {
  test.each([
    [
      [0, 0.25, 0.5],
      ['0', '0.25', '0.5'],
    ],
    [
      [0, 1000, 2000],
      ['0', '1,000', '2,000'],
    ],
    [
      [1.0001, 1.0002, 1.0003],
      ['1.0001', '1.0002', '1.0003'],
    ],
    [
      [-0.5, 0, 0.5],
      ['-0.5', '0', '0.5'],
    ],
    [[5], ['5']],
    [[], []],
  ])('%j', (at, texts) => {
    expect(yTexts(at, '', false)).toEqual(texts);
  });

  test('large numbers have the digits of their step', () => {
    expect(yTexts([1e7, 2e7, 3e7], '', false)).toEqual(['1e7', '2e7', '3e7']);
    expect(yTexts([1e7, 1.25e7, 1.5e7], '', false)).toEqual(['1.00e7', '1.25e7', '1.50e7']);
    expect(yTexts([1.0e12, 1.001e12], '', false)).toEqual(['1.000e12', '1.001e12']);
  });

  test('small numbers have the digits of their step', () => {
    expect(yTexts([0, 1e-8, 2e-8], '', false)).toEqual(['0', '1e-8', '2e-8']);
    expect(yTexts([0, 2.5e-9, 5e-9], '', false)).toEqual(['0', '2.5e-9', '5.0e-9']);
  });

  test('neighbors never look the same', () => {
    for (const size of [1e-12, 1e-5, 0.3, 1, 7e4, 1e9, 1e15]) {
      const texts = yTexts(yTicks([size, size * 1.001], false, 5), '', false);
      expect(new Set(texts).size).toBe(texts.length);
      expect(texts.length).toBeGreaterThan(2);
    }
  });

  test('log axes write powers of ten', () => {
    const at = [1e-5, 1e-3, 0.1, 1, 1e4, 1e5];
    expect(yTexts(at, '', true)).toEqual(['1e-5', '0.001', '0.1', '1', '10,000', '1e5']);
  });

  test('units', () => {
    expect(yTexts([0, 50], '%', false)).toEqual(['0 %', '50 %']);
    expect(yTexts([0, 1500], 'B/s', false)).toEqual(['0 B/s', '1.5 kB/s']);
    expect(yTexts([0.001], 's', false)).toEqual(['1 ms']);
  });

  test('ticks that are left out stay empty', () => {
    expect(yTexts([null, 0, null, 2], '', false)).toEqual(['', '0', '', '2']);
  });
});

describe('x axis', () => {
  test('steps', () => {
    expect(xTexts([0, 500, 1000], false)).toEqual(['0', '500', '1,000']);
    expect(xTicks([0, 10], false, 2)).toEqual([0, 5, 10]);
  });

  test('times of the day', () => {
    expect(xTicks([0, 120], true, 4)).toEqual([0, 30, 60, 90, 120]);
    expect(xTexts([0, 30, 60], true)).toEqual(['00:00:00', '00:00:30', '00:01:00']);
    expect(xTexts([0, 3600], true)).toEqual(['00:00', '01:00']);
    expect(xTexts([0, 0.25], true)).toEqual(['00:00:00.000', '00:00:00.250']);
  });

  test('the first tick of a new day names it', () => {
    const day = 86400;
    const at = [day - 7200, day - 3600, day, day + 3600];
    expect(xTexts(at, true)).toEqual(['22:00', '23:00', 'Jan 2', '01:00']);
  });

  test('missing ticks', () => {
    expect(xTexts([null, 1], true)).toEqual(['', '00:00:01']);
  });

  test('one value in full', () => {
    expect(xText(1234567, false)).toBe('1,234,567');
    expect(xText(0.5, false)).toBe('0.5');
    expect(xText(3661, true)).toBe('Jan 1, 01:01:01 UTC');
    expect(xText(3661.5, true)).toBe('Jan 1, 01:01:01.500 UTC');
  });

  test('impossible times are empty', () => {
    expect(clock(NaN)).toBe('');
    expect(clock(1e20)).toBe('');
    expect(xTexts([1e20], true)).toEqual(['']);
  });
});

describe('valueText', () => {
  test.each([
    [Infinity, '', '∞'],
    [-Infinity, 's', '−∞'],
    [NaN, '%', '–'],
    [0.5, '', '0.5'],
    [12345678, '', '1.235e7'],
    [-12345678, '', '-1.235e7'],
    [3, 's', '3 s'],
  ])('%f %s is %s', (value, unit, text) => {
    expect(valueText(value, unit)).toBe(text);
  });
});

test('labels of any length have room', () => {
  expect(yAxisWidth(null)).toBe(62);
  expect(yAxisWidth(['0', '0.5', '1'])).toBe(62);
  const texts = yTexts([-1.4169265e-4, -1.4169264e-4], '', false);
  expect(texts[0]?.length).toBeGreaterThan(10);
  expect(yAxisWidth(texts)).toBeGreaterThan((texts[0]?.length ?? 0) * 7);
});

describe('ticks of steps', () => {
  test('a single step has one tick, not fractions of steps', () => {
    expect(xTicks([-0.5, 0.5], false, 10, true)).toEqual([0]);
    expect(xTicks([-0.5, 0.5], false, 10).length).toBeGreaterThan(3);
  });

  test.each([1, 2, 3, 5, 7, 12])('%i steps have whole ticks', (last) => {
    const found = xTicks([0, last], false, 8, true);
    expect(found.every(Number.isInteger)).toBe(true);
    expect(found[0]).toBe(0);
    expect(found.length).toBeGreaterThan(1);
  });

  test('a window within a step has none', () => {
    expect(xTicks([3.1, 3.4], false, 8, true)).toEqual([]);
  });
});

test.each([
  [3.4, false, false, '3'],
  [3.456, false, true, '3.46'],
  [61, true, false, '00:01:01'],
])('cursorText(%f, %j, %j)', (at, time, fractions, words) => {
  expect(cursorText(at, time, fractions)).toBe(words);
});

test('a label that would be cut off at the right edge is left out', () => {
  const texts = ['18:18:30', '18:18:40', '18:18:50'];
  expect(fittingTexts(texts, [50, 150, 250], 260)).toEqual([texts[0], texts[1], '']);
  expect(fittingTexts(texts, [50, 150, 250], 300)).toEqual(texts);
  expect(fittingTexts(['0', '5'], [0, 100], 112)).toEqual(['0', '5']);
});
