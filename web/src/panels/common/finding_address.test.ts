import { expect, test } from 'vitest';
import { detailOf, findingOf } from '../../api/runs_for_test';
import { machineAddress, tensorAddress } from './finding_address';

const run = detailOf({ id: 'a/b' });

test('a link to the tensor', () => {
  const finding = findingOf({ tensor: 'x&y', worker: 'w' });
  const address = tensorAddress(run, finding, 'l2');
  expect(address).toBe('#/run/a%2Fb/tensors?tensor=x%26y&step=7&mode=GLOBAL&worker=w&statistic=l2');
  expect(tensorAddress(run, findingOf())).not.toMatch(/worker|statistic/);
});

test('a link to the system metrics', () => {
  expect(machineAddress(run, 12.5, 'algo-1')).toBe('#/run/a%2Fb/system?at=12.5&node=algo-1');
  expect(machineAddress(run, 12.5, '')).toBe('#/run/a%2Fb/system?at=12.5');
});
