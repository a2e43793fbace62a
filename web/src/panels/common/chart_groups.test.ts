import { describe, expect, test } from 'vitest';
import { listOf, tensorOf } from '../../api/runs_for_test';
import type { TensorInfo } from '../../api/types';
import { chartSections } from './chart_groups';

const scalar = (name: string, changes: Partial<TensorInfo> = {}): TensorInfo =>
  tensorOf(name, { collections: [], statistics: ['value'], shape: [1], ...changes });
const metric = (name: string, changes: Partial<TensorInfo> = {}): TensorInfo =>
  scalar(name, { collections: ['metrics'], ...changes });
const loss = (name: string, changes: Partial<TensorInfo> = {}): TensorInfo =>
  scalar(name, { collections: ['losses'], ...changes });
const charts = (...tensors: TensorInfo[]): [string, string[]][] =>
  chartSections(listOf(tensors)).map(({ title, charts: of }) => [
    title,
    of.map(({ label }) => label),
  ]);
const MAIN = 'Losses and metrics';

describe('chartSections', () => {
  test('losses share a chart, which comes first; one alone gives it its name', () => {
    expect(charts(metric('acc'), loss('ce'))).toEqual([[MAIN, ['ce', 'acc']]]);
    expect(charts(loss('ce'), loss('kl'))).toEqual([[MAIN, ['Losses']]]);
  });

  test('every scalar that a script saves has a chart', () => {
    expect(charts(loss('ce'), scalar('scalar/accuracy'), scalar('scalar/learning_rate'))).toEqual([
      [MAIN, ['ce', 'accuracy', 'learning_rate']],
    ]);
  });

  test('names with a prefix have a section', () => {
    expect(
      charts(scalar('scalar/optim/lr'), scalar('scalar/optim/wd'), scalar('scalar/a')),
    ).toEqual([
      [MAIN, ['a']],
      ['optim', ['optim/lr', 'optim/wd']],
    ]);
  });

  test('a metric is drawn with its validation', () => {
    const [first] = chartSections(listOf([metric('train-rmse'), metric('validation-rmse')]));
    expect(first?.charts.map(({ label }) => label)).toEqual(['rmse']);
    expect(first?.charts[0]?.series.map(({ name }) => name)).toEqual([
      'train-rmse',
      'validation-rmse',
    ]);
  });

  test('a tensor of several modes is one series for each, in one chart', () => {
    const [first] = chartSections(listOf([loss('ce', { modes: ['TRAIN', 'EVAL'] })]));
    expect(first?.charts[0]?.series).toEqual([
      { tensor: 'ce', statistic: 'value', mode: 'TRAIN', name: 'ce (TRAIN)' },
      { tensor: 'ce', statistic: 'value', mode: 'EVAL', name: 'ce (EVAL)' },
    ]);
  });

  test('a loss of a batch is drawn by its mean', () => {
    const [first] = chartSections(listOf([loss('ce', { statistics: ['max', 'mean'] })]));
    expect(first?.charts[0]?.series[0]?.statistic).toBe('mean');
  });

  test('parameters with one element are not metrics', () => {
    expect(charts(scalar('fc.bias', { collections: ['biases'] }))).toEqual([]);
    expect(charts(scalar('hyperparameters/eta', { collections: ['hyperparameters'] }))).toEqual([]);
    expect(charts(tensorOf('big', { collections: [], statistics: ['mean'] }))).toEqual([]);
  });

  test('what was observed for rules is last and closed, one chart for all layers', () => {
    const own = { collections: ['training'] };
    const sections = chartSections(
      listOf([
        scalar('training/dead_inputs/a', own),
        scalar('training/dead_inputs/b', own),
        scalar('training/learning_rate', own),
        scalar('scalar/zoo/x'),
      ]),
    );
    expect(sections.map(({ title, open }) => [title, open])).toEqual([
      [MAIN, true],
      ['zoo', true],
      ['Observed in the training loop', false],
    ]);
    expect(sections[0]?.charts.map(({ label }) => label)).toEqual(['training/learning_rate']);
    expect(sections[2]?.charts[0]?.series).toHaveLength(2);
  });

  test('more series than colors continue in another chart; none is left out', () => {
    const many = Array.from({ length: 20 }, (_, i) => loss(`l${i}`));
    const [first] = chartSections(listOf(many));
    expect(first?.charts.map(({ label, series }) => [label, series.length])).toEqual([
      ['Losses', 8],
      ['Losses (2)', 8],
      ['Losses (3)', 4],
    ]);
  });

  test('nothing without statistics', () => {
    expect(charts(loss('a', { statistics: [] }))).toEqual([]);
    expect(charts()).toEqual([]);
  });
});
