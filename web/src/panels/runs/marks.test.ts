import { expect, test } from 'vitest';
import { runOf } from '../../api/runs_for_test';
import { changesOf, forEachRun, namesOf, readTags, tagsProblem, withTags } from './marks';

const MARKS = { display_name: '', tags: ['a', 'b'], note: '', archived: false, baseline: false };

test('tags as typed', () => {
  expect(readTags(' a, b  c,,a\n')).toEqual(['a', 'b', 'c']);
  expect(readTags('')).toEqual([]);
});

test('tags that the server refuses', () => {
  expect(tagsProblem(['a', 'x'.repeat(64)])).toBe('');
  expect(tagsProblem(['x'.repeat(65)])).toBe(
    `tag '${'x'.repeat(20)}…' has 65 characters; expected at most 64`,
  );
  const many = Array.from({ length: 33 }, (_, i) => `t${i}`);
  expect(tagsProblem(many)).toBe('33 tags; expected at most 32');
});

test('tags of several runs', () => {
  expect(withTags(MARKS, ['c', 'a'], ['b', 'x'])).toEqual(['a', 'c']);
});

test('only what differs is sent', () => {
  expect(changesOf(MARKS, { ...MARKS, tags: ['a', 'b'] })).toBeNull();
  expect(changesOf(MARKS, { ...MARKS, tags: ['b'], archived: true })).toEqual({
    tags: ['b'],
    archived: true,
  });
});

test('the first refusal ends it, and names the run', async () => {
  const runs = ['a', 'b', 'c'].map((name) => runOf({ id: name, name }));
  const asked: string[] = [];
  const problem = await forEachRun(runs, ({ name }) => {
    asked.push(name);
    if (name === 'a') return Promise.resolve({ ok: true });
    return Promise.resolve({ ok: false, error: { status: 409, message: 'it is running' } });
  });
  expect(problem).toBe('b: it is running');
  expect(asked).toEqual(['a', 'b']);
});

test('names of runs', () => {
  expect(namesOf([runOf({ name: 'x', marks: { ...MARKS, display_name: 'Best' } })])).toBe('Best');
  expect(namesOf([runOf(), runOf()])).toBe('2 runs');
});
