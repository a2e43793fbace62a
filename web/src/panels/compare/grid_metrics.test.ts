import { describe, expect, test } from 'vitest';
import { listOf, tensorOf } from '../../api/runs_for_test';
import type { TensorInfo, TensorList } from '../../api/types';
import { mergedList, metricSections } from './grid_metrics';

const scalar = (name: string, changes: Partial<TensorInfo> = {}): TensorInfo =>
  tensorOf(name, { collections: [], statistics: ['value'], shape: [1], ...changes });
const loss = (...modes: TensorInfo['modes']): TensorInfo =>
  scalar('loss', { collections: ['losses'], modes });
const names = (lists: TensorList[], search: RegExp | null = null): string[] => {
  const list = mergedList(lists);
  return list ? metricSections(list, search).flatMap((one) => one.metrics.map((m) => m.name)) : [];
};

describe('metrics of several runs', () => {
  test('each once, losses first, also those that only one run has', () => {
    const one = listOf([loss('TRAIN'), scalar('scalar/acc')]);
    const two = listOf([loss('TRAIN'), scalar('scalar/optim/lr')]);
    expect(names([one, two])).toEqual(['loss', 'acc', 'optim/lr']);
  });

  test('modes of one run are series of all', () => {
    expect(names([listOf([loss('TRAIN')]), listOf([loss('TRAIN', 'EVAL')])])).toEqual([
      'loss (TRAIN)',
      'loss (EVAL)',
    ]);
  });

  test('only those that are searched for', () => {
    const one = listOf([loss('TRAIN'), scalar('scalar/acc')]);
    expect(names([one], /ac/)).toEqual(['acc']);
    expect(names([one], /zz/)).toEqual([]);
  });

  test('nothing is loaded', () => {
    expect(mergedList([])).toBeNull();
  });
});
