import { describe, expect, test } from 'vitest';
import { detailOf } from '../../api/runs_for_test';
import { changesLine, differing, isSame, plainLines, tagRecord } from './fact_lines';

const runsWith = (...records: Record<string, string>[]) =>
  records.map((hyper_parameters) => detailOf({ hyper_parameters }));

describe('differing', () => {
  const linesOf = (same: boolean, ...records: Record<string, string>[]) =>
    differing(runsWith(...records), (run) => run.hyper_parameters, same).map(({ name, values }) => [
      name,
      ...values,
    ]);

  test('only what differs, or everything', () => {
    const records = [
      { lr: '0.1', seed: '1' },
      { lr: '0.2', seed: '1' },
    ];
    expect(linesOf(false, ...records)).toEqual([['lr', '0.1', '0.2']]);
    expect(linesOf(true, ...records)).toHaveLength(2);
  });

  test('a missing value differs from an empty one', () => {
    expect(linesOf(false, { flag: '' }, {})).toEqual([['flag', '', undefined]]);
  });

  test('names of objects are names', () => {
    expect(linesOf(false, { constructor: 'x' }, {})).toEqual([['constructor', 'x', undefined]]);
  });

  test('sorted by the numbers in them', () => {
    const names = linesOf(true, { layer10: '', layer2: '', Alpha: '' }).map(([name]) => name);
    expect(names).toEqual(['Alpha', 'layer2', 'layer10']);
  });

  test('one run, and none', () => {
    expect(linesOf(false, { lr: '1' })).toEqual([]);
    expect(linesOf(true)).toEqual([]);
  });
});

describe('plainLines', () => {
  test('what is known of each run', () => {
    const lines = plainLines([
      detailOf(),
      detailOf({ status: 'InProgress', started: null, ended: null, last_step: null }),
      detailOf({ started: null, created: null, last_step: 12345 }),
    ]);
    expect(Object.fromEntries(lines.map(({ name, values }) => [name, values]))).toEqual({
      Status: ['completed', 'running', 'completed'],
      Started: ['1970-01-01 00:01:50 UTC', '1970-01-01 00:01:40 UTC', '–'],
      Duration: ['90 s', '–', '–'],
      'Last step': ['500', '–', '12,345'],
      Findings: ['0', '0', '0'],
    });
  });

  test('times are never marked as differences', () => {
    expect(plainLines([]).flatMap(({ name, own }) => (own ? [name] : []))).toEqual([
      'Started',
      'Duration',
    ]);
  });
});

describe('changesLine', () => {
  const changes = (diff: string) => ({ words: '1 line', diff });

  test('as many changes are not the same changes', () => {
    const [line, ...others] = changesLine([changes('+a'), changes('+b')]);
    expect(others).toEqual([]);
    expect(line && isSame(line)).toBe(false);
    const [same] = changesLine([changes('+a'), changes('+a')]);
    expect(same && isSame(same)).toBe(true);
  });

  test('none beside some, and none at all', () => {
    const [line] = changesLine([changes('+a'), null]);
    expect(line).toMatchObject({ values: ['1 line', undefined], texts: ['+a', undefined] });
    expect(line && isSame(line)).toBe(false);
    expect(changesLine([null, { words: 'none', diff: '' }])).toEqual([]);
  });
});

test('tags of people are compared as those of the job', () => {
  const marks = { ...detailOf().marks, tags: ['baseline'] };
  expect(tagRecord(detailOf({ tags: { team: 'a' }, marks }))).toEqual({
    baseline: '✓',
    team: 'a',
  });
});

test('isSame', () => {
  expect(isSame({ name: '', values: ['a', 'a'] })).toBe(true);
  expect(isSame({ name: '', values: ['a', undefined] })).toBe(false);
  expect(isSame({ name: '', values: [] })).toBe(true);
});
