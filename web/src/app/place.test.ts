import { expect, test, vi } from 'vitest';
import { InMemory } from './place';
import { Router } from './router';

test('a page without an address remembers where it is', () => {
  const changed = vi.fn();
  const router = new Router(changed, new InMemory());
  router.rewrite('#/run/a');
  expect(changed).not.toHaveBeenCalled();
  router.go('#/run/a/layers?step=3');
  expect(changed).toHaveBeenCalledOnce();
  expect(router.route()).toMatchObject({ page: 'run', run: 'a', panel: 'layers' });
  expect(router.route().params.get('step')).toBe('3');
  router.push('#/run/a/layers?step=4');
  expect(router.isLeaving).toBe(false);
  expect(changed).toHaveBeenCalledOnce();
  expect(router.address).toBe('#/run/a/layers?step=4');
});
