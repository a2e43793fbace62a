import { describe, expect, test } from 'vitest';
import { runOf } from '../../api/runs_for_test';
import type { RunColumns, RunSummary } from '../../api/types';
import { catalogueOf, listedRun } from './fields';
import { bestNames, limitsOf, piecesOf, quoted, readFilter, withComparisons } from './filter';

const COLUMNS: RunColumns = {
  hyper_parameters: { lr: '0.10', optimizer: 'SGD' },
  scalars: { loss: [0.5, 0.25, 4, 90, 60, 0], 'acc (EVAL)': ['NaN', 0.1, 0.9, 90, 0, 80] },
  at: { 'min:loss': { loss: 0.25, 'acc (EVAL)': 0.8 } },
};
const NAMES = catalogueOf([listedRun(runOf(), COLUMNS)]);
const found = (filter: string, changes: Partial<RunSummary> = {}): boolean =>
  readFilter(filter).test(listedRun(runOf(changes), COLUMNS));
const problems = (filter: string): string[] =>
  readFilter(filter, NAMES).problems.map(({ piece, words }) => `${piece}: ${words}`);

describe('piecesOf', () => {
  test.each([
    ['', []],
    ['  ', []],
    ['a  b', ['a', 'b']],
    ['"a b" c', ['"a b"', 'c']],
    ['name~"a b"', ['name~"a b"']],
    ['-"a b"', ['-"a b"']],
    ['"unclosed text', ['"unclosed text']],
    ['""', []],
  ])('%j: %j', (filter, pieces) => {
    expect(piecesOf(filter)).toEqual(pieces);
  });
});

describe('readFilter', () => {
  test.each([
    ['resnet', true],
    ['RES 50', true],
    ['"resnet 50"', true],
    ['"50 resnet"', false],
    ['vision', true],
    ['/data/', true],
    ['lr=0.1', true],
    ['lr=0.2', false],
    ['LR<=0.1', true],
    ['lr>=0.1', true],
    ['lr>1e-1', false],
    ['lr>1e-3', true],
    ['lr<0.2', true],
    ['lr!=0.1', false],
    ['momentum!=0.9', true],
    ['momentum=0.9', false],
    ['optimizer=sgd', true],
    ['optimizer="SGD"', true],
    ['optimizer>5', false],
    ['team=vision', true],
    ['team=', false],
    ['step>=500', true],
    ['step<500', false],
    ['findings=0', true],
    ['duration=90', true],
    ['loss<0.6', true],
    ['loss<0.5', false],
    ['min:loss<0.3', true],
    ['max:loss>4', false],
    ['minstep:loss=60', true],
    ['"acc (eval)">0', false],
    ['max:"acc (EVAL)">0.8', true],
    ['name~^res.*50$', true],
    ['name~^50', false],
    ['optimizer~adam|sgd', true],
    ['-name~^res', false],
    ['tag~vis', true],
    ['momentum~.', false],
    ['status:completed', true],
    ['STATUS:comp', true],
    ['status:failed', false],
    ['kind:job', true],
    ['host:algo', true],
    ['host:other', false],
    ['folder:r1', true],
    ['tag:base', true],
    ['tag:bas', false],
    ['tag:team=vision', true],
    ['tag:team=visio', false],
    ['tag:constructor', false],
    ['has:findings', false],
    ['has:healthy', true],
    ['has:errors', false],
    ['is:baseline', false],
    ['-resnet', false],
    ['--resnet', true],
    ['-status:failed', true],
    ['-', false],
    ['constructor=1', false],
    ['"unclosed', false],
    ['"status:failed"', false],
    ['"lr>5"', false],
    ['', true],
    ['*[(', false],
    ['resnet nothing', false],
  ])('%j: %j', (filter, expected) => {
    expect(found(filter)).toBe(expected);
    expect(readFilter(filter).problems).toEqual([]);
  });

  test('a running run is found by what the page calls it', () => {
    expect(found('status:running', { status: 'InProgress' })).toBe(true);
    expect(found('status:inprogress', { status: 'InProgress' })).toBe(true);
  });

  test('a run without steps', () => {
    expect(found('step>0', { last_step: null })).toBe(false);
    expect(found('step!=3', { last_step: null })).toBe(true);
  });

  test('what people say of a run', () => {
    const marks = {
      display_name: 'The good one',
      tags: ['paper', 'Team-A'],
      note: 'See figure 3',
      archived: false,
      baseline: true,
    };
    for (const filter of ['good', 'resnet', 'tag:paper', 'tag:team-a', 'is:baseline', '"figure 3"'])
      expect([filter, found(filter, { marks })]).toEqual([filter, true]);
    expect(found('name~^the has:note', { marks })).toBe(true);
    expect(readFilter('is:archived').archived).toBe(true);
    expect(readFilter('-is:archived').archived).toBe(false);
  });

  test('a run whose rules could not be evaluated is not healthy', () => {
    const rules = { total: 3, issues: 0, not_evaluated: 2, no_data: 1, errors: 0, running: 0 };
    expect(found('has:healthy', { rules })).toBe(false);
    expect(found('has:unevaluated', { rules })).toBe(true);
    expect(found('has:healthy', { rules: { ...rules, total: 0, no_data: 0 } })).toBe(false);
    expect(found('has:healthy', { rules: { ...rules, no_data: 0 } })).toBe(true);
  });

  test.each([
    ['lr>abc', "lr>abc: expected a number after >, got 'abc'"],
    ['lr>', "lr>: expected a number after >, got ''"],
    ['=5', '=5: expected a name before the operator, as in lr>0.1'],
    ['rate>1', "rate>1: no run has 'rate'; expected one of: step, findings, duration, name, lr, "],
    ['status:fine', "status:fine: unknown status 'fine'; expected one of: running, completed, "],
    ['has:x', "has:x: unknown property 'x'; expected one of: findings, healthy, "],
    ['is:x', "is:x: unknown state 'x'; expected one of: archived, baseline"],
    ['kind:x', "kind:x: unknown kind 'x'; expected one of: folder, job"],
    ['tag:', 'tag:: expected the name of a tag after tag:'],
    ['mode:x', "mode:x: unknown filter 'mode:'; expected one of: status:, tag:, "],
    ['min:loss', "min:loss: unknown filter 'min:'; "],
    ['name~[', 'name~[: expected a regular expression, such as ^resnet; untermin'],
    ['name~', 'name~: expected a regular expression after ~'],
    ['-lr>x', "-lr>x: expected a number after >, got 'x'"],
  ])('%j is refused', (filter, words) => {
    expect(problems(filter)).toEqual([expect.stringContaining(words.slice(0, 60))]);
  });

  test('what cannot be read matches everything; the rest still counts', () => {
    expect(found('lr>x')).toBe(true);
    expect(found('lr>x status:failed')).toBe(false);
    expect(problems('lr>x has:y resnet')).toHaveLength(2);
  });
});

test('quoted words are found again', () => {
  for (const words of ['a b', 'a:b', '-a', 'x=1', 'plain'])
    expect(found(quoted(words), { name: `the ${words} run` })).toBe(true);
});

test('comparisons of a name are replaced', () => {
  const text = 'resnet lr>=1 LR<=2 "lr">3 -lr=4 lrs>5';
  expect(withComparisons(text, 'lr', ['lr>=7'])).toBe('resnet -lr=4 lrs>5 lr>=7');
  expect(limitsOf('lr>=1 LR<=2 lr>=0.5', 'lr')).toEqual([1, 2]);
  expect(limitsOf('"a b">=1', 'a b')).toEqual([1, Infinity]);
  expect(limitsOf('lr>1 lr=2 -lr>=3', 'lr')).toBeNull();
});

describe('the best step of another metric', () => {
  test.each([
    ['at:"acc (EVAL)@min:loss">0.7', true],
    ['at:"acc (eval)@min:LOSS"<0.7', false],
    ['at:loss@max:loss>0', false],
    ['-at:loss@min:loss>1', true],
  ])('%s: %s', (filter, expected) => {
    expect(found(filter)).toBe(expected);
    expect(problems(filter)).toEqual([]);
  });

  test('names are checked', () => {
    expect(problems('at:gone@min:loss>1')[0]).toContain("no run has 'at:gone@min:loss'");
    expect(problems('at:loss@min:gone>1')).toHaveLength(1);
    expect(bestNames('a at:"acc (EVAL)@min:loss">0.7 -at:x@max:y=1 min:loss>0')).toEqual([
      'acc (EVAL)@min:loss',
      'x@max:y',
    ]);
  });
});
