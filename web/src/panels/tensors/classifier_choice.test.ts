import { describe, expect, test } from 'vitest';
import type { TensorInfo } from '../../api/types';
import { fits, labelCandidates, pairOf, predictionCandidates } from './classifier_choice';
import { tensor } from './info_for_test';

const names = (all: readonly TensorInfo[], labels = '', predictions = ''): string[] => {
  const pair = pairOf(all, labels, predictions);
  return [pair.labels?.name ?? '', pair.predictions?.name ?? ''];
};

describe('pairOf', () => {
  const weight = tensor('fc.weight', [8, 10], { collections: ['weights'] });
  const truth = tensor('batch/labels', [8]);
  const logits = tensor('model/logits', [8, 10]);

  test('by collection before name before the inputs of a loss', () => {
    const loss = [
      tensor('CrossEntropyLoss_input_0', [8, 10]),
      tensor('CrossEntropyLoss_input_1', [8]),
    ];
    expect(names([weight, ...loss])).toEqual([
      'CrossEntropyLoss_input_1',
      'CrossEntropyLoss_input_0',
    ]);
    expect(names([...loss, truth, logits])).toEqual(['batch/labels', 'model/logits']);
    const own = tensor('y', [8], { collections: ['labels'] });
    const guess = tensor('z', [8, 10], { collections: ['predictions'] });
    expect(names([...loss, truth, logits, own, guess])).toEqual(['y', 'z']);
  });

  test('what does not go together is not a pair', () => {
    expect(names([tensor('labels', [8]), tensor('logits', [4, 10])])).toEqual(['', '']);
    expect(names([weight])).toEqual(['', '']);
    expect(names([tensor('labels', [8], { values: false }), logits])).toEqual(['', '']);
  });

  test('chosen tensors win, also unlikely ones', () => {
    const odd = tensor('odd', [8, 3]);
    expect(names([truth, logits, odd], '', 'odd')).toEqual(['batch/labels', 'odd']);
    expect(names([truth, logits, odd], 'odd', '')).toEqual(['odd', '']);
    expect(names([truth, logits], 'gone', 'gone')).toEqual(['batch/labels', 'model/logits']);
  });

  test('names need whole words', () => {
    expect(names([tensor('relabelled', [8]), tensor('prescores', [8, 2])])).toEqual(['', '']);
  });
});

test('predictions fit labels of any shape', () => {
  expect(fits(tensor('a', [2, 5]), tensor('b', [2, 5, 7]))).toBe(true);
  expect(fits(tensor('a', [6, 1]), tensor('b', [6]))).toBe(true);
  expect(fits(tensor('a', [6, 3]), tensor('b', [6, 3]))).toBe(true);
  expect(fits(tensor('a', [5]), tensor('b', [5, 2, 2]))).toBe(false);
});

test('what can be chosen: the likely ones first, no parameters', () => {
  const all = [
    tensor('fc.bias', [8], { collections: ['biases'] }),
    tensor('activation', [8, 4]),
    tensor('labels', [8]),
    tensor('predictions', [8, 2]),
  ];
  expect(labelCandidates(all).map(({ name }) => name)).toEqual([
    'labels',
    'activation',
    'predictions',
  ]);
  expect(predictionCandidates(all, all[2]).map(({ name }) => name)).toEqual([
    'predictions',
    'activation',
  ]);
  expect(predictionCandidates(all, undefined)).toEqual([]);
});
