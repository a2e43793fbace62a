import { expect, test } from 'vitest';
import { closeAll, readOpen, writeOpen } from './open_groups';

test('groups are opened and closed, next to the rest of the URL', () => {
  const params = new URLSearchParams('group=param%3Alr');
  writeOpen(params, '=0.1', true);
  writeOpen(params, 'none', true);
  writeOpen(params, '=0.1', true);
  expect(readOpen(new URLSearchParams(params.toString()))).toEqual(new Set(['none', '=0.1']));
  writeOpen(params, 'none', false);
  expect([...readOpen(params)]).toEqual(['=0.1']);
  closeAll(params);
  expect(params.toString()).toBe('group=param%3Alr');
  expect(readOpen(params).size).toBe(0);
});
