import { describe, expect, test } from 'vitest';
import { axesOf, type Counts, scaleOf } from './x_scale';

const counts: Counts = {
  optimizer: { steps: [0, 10], counts: [0, 5] },
  epoch: { steps: [0, 10], counts: [1, 2] },
};
const none: Counts = { optimizer: null, epoch: null };

describe('scaleOf', () => {
  test.each([
    ['step', 'global', 4, 4, 'step 4'],
    ['optimizer', 'global', 4, 2, 'optimizer step 2'],
    ['epoch', 'global', 5, 1.5, 'epoch 1.5'],
    ['time', 'time', 3661, 3661, '01:01:01'],
    ['relative', 'time', 103, 3, '3.0 s'],
  ] as const)('%s', (axis, ask, asked, x, words) => {
    const scale = scaleOf(axis, counts, 100);
    expect(scale.axis).toBe(axis);
    expect(scale.ask).toBe(ask);
    expect(scale.at(asked)).toBe(x);
    expect(scale.back(x)).toBe(asked);
    expect(scale.words(x)).toBe(words);
  });

  test('steps, where the run does not count', () => {
    expect(scaleOf('epoch', none, 0).axis).toBe('step');
    expect(scaleOf('optimizer', none, 0).words(3)).toBe('step 3');
  });
});

test('axesOf', () => {
  expect(axesOf(none)).toEqual(['step', 'time', 'relative']);
  expect(axesOf(counts)).toEqual(['step', 'optimizer', 'epoch', 'time', 'relative']);
});
