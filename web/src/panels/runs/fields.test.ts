import { expect, test } from 'vitest';
import { runOf } from '../../api/runs_for_test';
import { tagsOf } from '../common/run_names';
import { catalogueOf, fieldId, fieldOf, listedRun, valueOf } from './fields';

const run = listedRun(runOf(), {
  hyper_parameters: { lr: '0.10', eta: '0.3', sagemaker_program: 'x' },
  scalars: { 'a/loss': [0.5, 0.25, 4, 90, 60, 0], bad: ['NaN', null, null, 9, null, null] },
  at: { 'min:a/loss': { 'a/loss': 0.25, acc: 0.75, bad: 'NaN' } },
});

test.each([
  ['param:lr', 0.1],
  ['param:eta', 0.3],
  ['param:optimizer', null],
  ['param:toString', null],
  ['tag:team', 'vision'],
  ['tag:base', ''],
  ['last:a%2Floss', 0.5],
  ['min:a%2Floss', 0.25],
  ['max:a%2Floss', 4],
  ['minstep:a%2Floss', 60],
  ['maxstep:a%2Floss', 0],
  ['last:bad', NaN],
  ['min:bad', null],
  ['last:constructor', null],
  ['at:acc%40min%3Aa%2Floss', 0.75],
  ['at:bad%40min%3Aa%2Floss', NaN],
  ['at:acc%40max%3Aa%2Floss', null],
  ['at:constructor%40min%3Aa%2Floss', null],
])('%s: %j', (id, value) => {
  const field = fieldOf(id);
  expect(field && fieldId(field)).toBe(id);
  expect(field && valueOf(run, field)).toEqual(value);
});

test('all names, those of the SDK left out; numbers only where all are', () => {
  const other = listedRun(runOf({ hyper_parameters: { lr: 'auto', n10: '1', n9: '2' }, tags: {} }));
  const { params, tags, scalars, numeric } = catalogueOf([run, other]);
  expect(params).toEqual(['eta', 'lr', 'n9', 'n10']);
  expect(tags).toEqual(['base', 'team']);
  expect(scalars).toEqual(['a/loss', 'bad']);
  expect([...numeric].sort()).toEqual(['param:eta', 'param:n10', 'param:n9']);
});

test('tags of people and of the job, each once', () => {
  const marks = { ...run.marks, tags: ['base', 'paper'] };
  expect(tagsOf({ ...run, marks })).toEqual(['base', 'paper', 'team=vision']);
});

test('a best step needs two metrics', () => {
  expect(fieldOf('at:acc')).toBeNull();
  expect(fieldOf('at:acc%40mean%3Aloss')).toBeNull();
});
