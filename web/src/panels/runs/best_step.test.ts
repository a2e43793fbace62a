import { describe, expect, test } from 'vitest';
import { bestName, bestTitle, readBest, referencesOf } from './best_step';

describe('names', () => {
  test('say which metric, where another is best', () => {
    const name = bestName('accuracy (EVAL)', 'min', 'val/loss');
    expect(name).toBe('accuracy (EVAL)@min:val/loss');
    expect(readBest(name)).toEqual({ scalar: 'accuracy (EVAL)', reference: 'min:val/loss' });
    expect(bestTitle(name)).toBe('accuracy (EVAL) at lowest val/loss');
    expect(bestTitle('f1@max:a@b')).toBe('f1 at highest a@b');
  });

  test.each(['accuracy', 'accuracy@', '@min:x', 'a@mean:x', 'a@min:'])('%s is none', (name) => {
    expect(readBest(name)).toBeNull();
  });
});

test('references are asked for once, with the case of the metric', () => {
  const names = ['a@min:loss', 'b@min:LOSS', 'c@max:acc', 'plain', 'd@min:gone'];
  expect(referencesOf(names, ['Loss', 'acc'])).toEqual(['max:acc', 'min:Loss', 'min:gone']);
  expect(referencesOf([], ['Loss'])).toEqual([]);
});
