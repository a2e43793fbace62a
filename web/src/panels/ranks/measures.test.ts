import { describe, expect, test } from 'vitest';
import { measureRange, measureTensor, measureValue, measureWords } from './measures';

test('words', () => {
  expect(measureWords('step_seconds')).toBe('Step time');
  expect(measureWords('tensor/CrossEntropyLoss_output_0')).toBe('CrossEntropyLoss_output_0');
  expect(measureWords('new_one')).toBe('new_one');
});

test('values', () => {
  expect(measureValue('step_seconds', 0.0213)).toBe('21.3 ms');
  expect(measureValue('gradient_norm', 2.5)).toBe('2.5');
  expect(measureValue('tensor/loss', Infinity)).toBe('NaN or infinite');
});

test('tensors', () => {
  expect(measureTensor('exchange_seconds')).toBe('training/exchange_seconds');
  expect(measureTensor('own_seconds')).toBe('training/step_seconds');
  expect(measureTensor('tensor/loss')).toBe('loss');
  expect(measureTensor('gradient_norm')).toBe('');
});

describe('range of colors', () => {
  const range = (of: string, ...values: number[]): [number, number] =>
    measureRange(of, Float32Array.from(values));

  test('times begin at zero', () => {
    expect(range('step_seconds', 2, 4, NaN)).toEqual([0, 4]);
  });

  test('one very long step does not use up the colors', () => {
    const many = Array.from({ length: 200 }, () => 2);
    expect(range('step_seconds', ...many, 900)).toEqual([0, 2]);
    expect(range('tensor/loss', ...many, 900)).toEqual([2, 900]);
  });

  test('logarithms need values above zero', () => {
    expect(range('gradient_norm', 0, 0.5, 8, Infinity)).toEqual([0.5, 8]);
  });

  test('nothing', () => {
    expect(range('tensor/loss')).toEqual([0, 1]);
  });
});
