import { describe, expect, test } from 'vitest';
import { runOf } from '../../api/runs_for_test';
import { searchTest, wordsOf } from './search';

describe('wordsOf', () => {
  test.each([
    ['', []],
    ['  ', []],
    ['a  b', ['a', 'b']],
    ['"a b" c', ['a b', 'c']],
    ['name:"a b"', ['name:a b']],
    ['-"a b"', ['-a b']],
    ['"unclosed text', ['unclosed text']],
    ['""', []],
  ])('%j: %j', (search, words) => {
    expect(wordsOf(search)).toEqual(words);
  });
});

describe('searchTest', () => {
  const found = (search: string, changes = {}): boolean => searchTest(search, [])(runOf(changes));

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
    ['lr>0.1', false],
    ['lr<0.2', true],
    ['lr!=0.1', false],
    ['momentum!=0.9', true],
    ['momentum=0.9', false],
    ['optimizer=sgd', true],
    ['optimizer>5', false],
    ['team=vision', true],
    ['team=', false],
    ['step>=500', true],
    ['step<500', false],
    ['findings=0', true],
    ['status:completed', true],
    ['STATUS:comp', true],
    ['status:failed', false],
    ['kind:job', true],
    ['host:algo', true],
    ['host:other', false],
    ['folder:r1', true],
    ['tag:base', true],
    ['tag:constructor', false],
    ['has:findings', false],
    ['has:healthy', true],
    ['has:errors', false],
    ['has:constructor', false],
    ['-resnet', false],
    ['--resnet', true],
    ['-status:failed', true],
    ['-', false],
    ['constructor=1', false],
    ['"unclosed', false],
    ['', true],
    ['*[(', false],
    ['resnet nothing', false],
  ])('%j: %j', (search, expected) => {
    expect(found(search)).toBe(expected);
  });

  test('a running run is found by what the page calls it', () => {
    expect(found('status:running', { status: 'InProgress' })).toBe(true);
    expect(found('status:inprogress', { status: 'InProgress' })).toBe(true);
  });

  test('a run without steps', () => {
    expect(found('step>0', { last_step: null })).toBe(false);
    expect(found('step!=3', { last_step: null })).toBe(true);
  });

  test('a run whose rules could not be evaluated is not healthy', () => {
    const rules = { total: 3, issues: 0, not_evaluated: 2, no_data: 1, errors: 0, running: 0 };
    expect(found('has:healthy', { rules })).toBe(false);
    expect(found('has:unevaluated', { rules })).toBe(true);
    expect(found('has:healthy', { rules: { ...rules, total: 0, no_data: 0 } })).toBe(false);
    expect(found('has:healthy', { rules: { ...rules, no_data: 0 } })).toBe(true);
  });

  test('tags are exact', () => {
    const tagged = (...tags: string[]): boolean => searchTest('', tags)(runOf());
    expect(tagged('team=vision', 'base')).toBe(true);
    expect(tagged('team=vis')).toBe(false);
    expect(tagged('team')).toBe(true);
    expect(tagged('toString')).toBe(false);
    expect(tagged('base=')).toBe(true);
  });
});
