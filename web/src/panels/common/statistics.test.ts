import { describe, expect, test } from 'vitest';
import {
  inOrder,
  isShare,
  rampOf,
  STATISTICS,
  statisticWords,
  usualStatistics,
} from './statistics';

test('words', () => {
  expect(statisticWords('l2')).toBe('L2 norm');
  expect(statisticWords('abs_mean')).toBe('mean of absolute values');
  expect(statisticWords('median')).toBe('median');
  expect(STATISTICS.map(statisticWords)).not.toContain('');
});

test.each(['constructor', 'abs_constructor', '__proto__', ''])('%j from a URL is text', (name) => {
  expect(statisticWords(name)).toBe(name);
});

test('ramps', () => {
  expect(STATISTICS.filter(isShare)).toEqual(['nans', 'infs', 'zeros']);
  expect(['zeros', 'abs_min', 'std', 'l1', 'mean', 'value', 'other'].map(rampOf)).toEqual([
    'sequential',
    'log',
    'log',
    'log',
    'diverging',
    'diverging',
    'diverging',
  ]);
});

test('order: known ones first, others by name, each once', () => {
  expect(inOrder(['zeros', 'q99', 'mean', 'abs_max', 'min', 'mean', 'a'])).toEqual([
    'min',
    'mean',
    'abs_max',
    'zeros',
    'a',
    'q99',
  ]);
  expect(inOrder([])).toEqual([]);
});

describe('usualStatistics', () => {
  test.each([
    [['mean', 'value'], false, ['value']],
    [['max', 'mean', 'min', 'l2'], false, ['min', 'mean', 'max']],
    [['max', 'mean', 'min', 'l2'], true, ['mean']],
    [['max'], false, ['max']],
    [['l2', 'std'], true, ['l2']],
    [['q99'], true, ['q99']],
    [[], true, ['mean']],
    [[], false, ['mean']],
  ])('%j, several: %j', (available, several, usual) => {
    expect(usualStatistics(available, several)).toEqual(usual);
  });
});
