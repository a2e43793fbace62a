import { describe, expect, test } from 'vitest';
import { findingOf } from '../../api/runs_for_test';
import { cause, where, written } from './finding_words';

describe('where', () => {
  test.each([
    [{}, 'step 7'],
    [{ last_step: 9, count: 3 }, 'steps 7–9 (3 times)'],
    [{ last_step: 9, count: 1 }, 'steps 7–9'],
    [{ last_step: 7, count: 3 }, 'step 7'],
    [{ mode: 'TRAIN', worker: 'worker_1' }, 'step 7 · TRAIN · worker_1'],
    [{ step: -1, last_step: -1 }, ''],
    [{ step: -1, last_step: -1, count: 4, time: 60 }, '4 times · 1970-01-01 00:01:00 UTC'],
    [{ step: 7, time: 60 }, 'step 7'],
    [{ step: 0, last_step: 0 }, 'step 0'],
    [{ optimizer_step: 8, epoch: 1 }, 'step 7'],
    [{ optimizer_step: 8, epoch: 2 }, 'step 7 · since epoch 2'],
    [{ optimizer_step: 3, epoch: 1 }, 'step 7 · since optimizer step 3, epoch 1'],
    [{ optimizer_step: 3 }, 'step 7 · since optimizer step 3'],
  ] as const)('%j: %s', (changes, words) => {
    expect(where(findingOf(changes))).toBe(words);
  });
});

describe('cause', () => {
  test.each([
    ['g: mean is 0 at step 7', 'mean is 0'],
    ['g: mean is 0 at step 7 (TRAIN)', 'mean is 0'],
    ['g: mean is 0 at step 77', 'mean is 0 at step 77'],
    ['other: mean is 0', 'other: mean is 0'],
    ['', ''],
  ])('%j: %j', (message, words) => {
    expect(cause(findingOf({ message }))).toBe(words);
  });

  test('a finding without a tensor', () => {
    expect(cause(findingOf({ tensor: '', message: ': x at step 7' }))).toBe(': x');
  });

  test('names are not patterns', () => {
    const finding = findingOf({ tensor: 'a[0](*', message: 'a[0](*: bad at step 7' });
    expect(cause(finding)).toBe('bad');
  });
});

test('numbers that JSON cannot hold', () => {
  expect([0.5, 'NaN', '-Infinity'].map((value) => written(value as number))).toEqual([
    '0.5',
    'NaN',
    '-Infinity',
  ]);
});
