import { describe, expect, test } from 'vitest';
import { runOf } from '../../api/runs_for_test';
import { listedRun } from './fields';
import { groupsOf } from './groups';

describe('groupsOf', () => {
  const run = (id: string, lr?: string, tags: Record<string, string> = {}) =>
    listedRun(runOf({ id, tags, hyper_parameters: lr === undefined ? {} : { lr } }));
  const said = (by: string, runs: ReturnType<typeof run>[]): [string, string][] =>
    groupsOf(runs, by).map(({ words, runs: inside }) => [words, inside.map(({ id }) => id).join()]);

  test('by a hyperparameter: equal numbers together, by value, without one last', () => {
    const runs = [run('a', '0.1'), run('b'), run('c', '1e-1'), run('d', '0.02'), run('e', 'auto')];
    expect(said('param:lr', runs)).toEqual([
      ['lr = 0.02', 'd'],
      ['lr = 0.1', 'a,c'],
      ['lr = auto', 'e'],
      ['No lr', 'b'],
    ]);
  });

  test('keys differ', () => {
    const keys = groupsOf([run('a', ''), run('b'), run('c', 'none')], 'param:lr').map(
      ({ key }) => key,
    );
    expect(new Set(keys).size).toBe(3);
  });

  test('by one tag, and by all', () => {
    const runs = [
      run('a', '1', { team: 'x', base: '' }),
      run('b', '1', { base: '', team: 'x' }),
      run('c', '1', { team: 'y' }),
      run('d'),
    ];
    expect(said('tag:team', runs)).toEqual([
      ['team = x', 'a,b'],
      ['team = y', 'c'],
      ['No team', 'd'],
    ]);
    expect(said('tags', runs)).toEqual([
      ['base, team=x', 'a,b'],
      ['team=y', 'c'],
      ['No tags', 'd'],
    ]);
  });

  test('by something unknown', () => expect(groupsOf([run('a')], 'x')).toEqual([]));
});
