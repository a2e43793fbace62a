import { describe, expect, test } from 'vitest';
import { tensorOf } from '../../api/runs_for_test';
import {
  collectionOptions,
  EVERYTHING,
  insideOf,
  usualCollection,
  usualStatistic,
} from './choices';

const of = (...collections: string[]) => tensorOf(collections.join(), { collections });
const having = (...statistics: string[]) => tensorOf(statistics.join(), { statistics });

describe('usualCollection', () => {
  test('what shows trouble first', () => {
    expect(usualCollection([of('all', 'weights'), of('gradients')])).toBe('gradients');
    expect(usualCollection([of('all', 'weights')])).toBe('weights');
  });

  test('everything, if no name is known', () => {
    expect(usualCollection([of('custom'), of()])).toBe(EVERYTHING);
    expect(usualCollection([])).toBe(EVERYTHING);
  });
});

test('usualStatistic', () => {
  expect(usualStatistic([having('max'), having('min', 'abs_mean')])).toBe('abs_mean');
  expect(usualStatistic([having('q99')])).toBe('q99');
  expect(usualStatistic([])).toBe('mean');
});

test('insideOf', () => {
  const all = [of('a'), of('b'), of('a', 'b'), of()];
  expect(insideOf(all, 'a')).toHaveLength(2);
  expect(insideOf(all, EVERYTHING)).toEqual(all);
  expect(insideOf(all, 'none')).toEqual([]);
});

test('collectionOptions', () => {
  expect(collectionOptions([of('b'), of('a', 'b')]).map(({ label }) => label)).toEqual([
    'b (2)',
    'a (1)',
    'all tensors (2)',
  ]);
  expect(collectionOptions([])).toEqual([{ value: EVERYTHING, label: 'all tensors (0)' }]);
});
