import { describe, expect, test } from 'vitest';
import { parseRoute, routeAddress } from './router';

describe('parseRoute', () => {
  test.each([
    ['', { page: 'runs' }],
    ['#', { page: 'runs' }],
    ['#/', { page: 'runs' }],
    ['#runs', { page: 'runs' }],
    ['#/compare?a=x', { page: 'compare' }],
    ['#/run/a%2Fb/tensors?tensor=x', { page: 'run', run: 'a/b', panel: 'tensors' }],
    ['#/run/a', { page: 'run', run: 'a', panel: 'overview' }],
    ['#/run/a/', { page: 'run', run: 'a', panel: 'overview' }],
    ['#/run/100%/logs', { page: 'run', run: '100%', panel: 'logs' }],
    ['#/run/a/logs/more', { page: 'run', run: 'a', panel: 'logs' }],
    ['#/run/', { page: 'unknown' }],
    ['#/run', { page: 'unknown' }],
    ['#/__proto__', { page: 'unknown' }],
    ['#/login?token=T', { page: 'login' }],
  ])('%j', (hash, expected) => {
    expect(parseRoute(hash)).toMatchObject(expected);
  });

  test('parameters', () => {
    const { params } = parseRoute('#/runs?search=a%20b&tags=x?y');
    expect([...params]).toEqual([
      ['search', 'a b'],
      ['tags', 'x?y'],
    ]);
    expect([...parseRoute('#/login?token=T').params]).toEqual([['token', 'T']]);
    expect([...parseRoute('#/runs').params]).toEqual([]);
  });
});

describe('routeAddress', () => {
  test('brings back what was written', () => {
    const params = new URLSearchParams({ tensor: 'a/b?c&d=e#f', step: '5' });
    const route = { page: 'run', run: 'x/y ?%#ä', panel: 'tensors', params } as const;
    const read = parseRoute(routeAddress(route));
    expect(read).toMatchObject({ page: 'run', run: route.run, panel: 'tensors' });
    expect([...read.params]).toEqual([...params]);
  });

  test('without parameters', () => {
    const params = new URLSearchParams();
    expect(routeAddress({ page: 'runs', params })).toBe('#/runs');
    expect(routeAddress({ page: 'unknown', params })).toBe('#/runs');
  });
});
