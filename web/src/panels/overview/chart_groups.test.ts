import { describe, expect, test } from 'vitest';
import { listOf, tensorOf } from '../../api/runs_for_test';
import type { Mode, TensorInfo } from '../../api/types';
import { chartGroups, modesOf } from './chart_groups';

const metric = (name: string, changes: Partial<TensorInfo> = {}): TensorInfo =>
  tensorOf(name, { collections: ['metrics'], statistics: ['value'], ...changes });
const loss = (name: string, changes: Partial<TensorInfo> = {}): TensorInfo =>
  metric(name, { collections: ['losses'], ...changes });
const labels = (tensors: TensorInfo[], modes: Mode[] = ['TRAIN']): string[] =>
  chartGroups(listOf(tensors, { modes })).map(({ label }) => label);

describe('chartGroups', () => {
  test('losses share a chart; one alone gives it its name', () => {
    expect(labels([loss('ce')])).toEqual(['ce']);
    expect(labels([loss('ce'), loss('kl')])).toEqual(['Losses']);
  });

  test('a metric is drawn with its validation', () => {
    const tensors = [
      metric('train-rmse'),
      metric('validation-rmse'),
      loss('loss', { statistics: ['mean', 'max'] }),
      tensorOf('weight'),
    ];
    const groups = chartGroups(listOf(tensors));
    expect(groups.map(({ label, mode }) => [label, mode])).toEqual([
      ['loss', 'GLOBAL'],
      ['rmse', 'GLOBAL'],
    ]);
    expect(groups[0]?.wanted).toEqual([{ tensor: 'loss', statistic: 'mean' }]);
    expect(groups[1]?.names).toEqual(['train-rmse', 'validation-rmse']);
  });

  test('a loss that is also a metric is drawn once', () => {
    expect(labels([loss('ce', { collections: ['metrics', 'losses'] })])).toEqual(['ce']);
  });

  test('each mode has charts of its tensors', () => {
    const tensors = [loss('ce', { modes: ['TRAIN', 'EVAL'] }), metric('lr', { modes: ['TRAIN'] })];
    expect(labels(tensors, ['TRAIN', 'EVAL'])).toEqual(['ce · TRAIN', 'ce · EVAL', 'lr · TRAIN']);
  });

  test('keys are unique', () => {
    const tensors = [loss('a', { modes: ['TRAIN', 'EVAL'] }), metric('b'), metric('train/b')];
    const keys = chartGroups(listOf(tensors, { modes: ['TRAIN', 'EVAL'] })).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('at most eight series, and none without statistics', () => {
    const many = Array.from({ length: 20 }, (_, i) => loss(`l${i}`));
    expect(chartGroups(listOf(many))[0]?.wanted).toHaveLength(8);
    expect(labels([loss('a', { statistics: [] })])).toEqual([]);
    expect(labels([])).toEqual([]);
  });
});

test('modesOf', () => {
  expect(modesOf(listOf([], { modes: [] }))).toEqual(['GLOBAL']);
  expect(modesOf(listOf([], { modes: ['TRAIN', 'GLOBAL'] }))).toEqual(['GLOBAL']);
  expect(modesOf(listOf([], { modes: ['TRAIN', 'EVAL'] }))).toEqual(['TRAIN', 'EVAL']);
});
