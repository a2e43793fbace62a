import { describe, expect, test } from 'vitest';
import { Names } from './names';
import { SHADES } from './palette';

describe('Names', () => {
  test('each name has one number', () => {
    const names = new Names();
    expect(['a', 'b', 'a', ''].map((name) => names.numberOf(name))).toEqual([0, 1, 0, 2]);
    expect(names.text(1)).toBe('b');
    expect(names.text(99)).toBe('');
  });

  test('names of objects are names', () => {
    const names = new Names();
    expect(names.numberOf('constructor')).toBe(0);
    expect(names.numberOf('__proto__')).toBe(1);
  });

  test('colors: the same without a trailing number, within the palette', () => {
    const names = new Names();
    const shade = (name: string): number | undefined => names.shades[names.numberOf(name)];
    expect(shade('step_232')).toBe(shade('step_233'));
    expect(shade('conv2d')).toBe(shade('conv2d'));
    for (const name of ['', 'matmul', '行列', '🙂', 'x'.repeat(10_000)]) {
      expect(shade(name)).toBeGreaterThanOrEqual(0);
      expect(shade(name)).toBeLessThan(SHADES);
    }
    const used = Array.from({ length: 200 }, (_, i) => shade(`op${String.fromCharCode(97 + i)}x`));
    expect(new Set(used).size).toBe(SHADES);
  });

  test.each([
    ['step 12', true],
    ['Step', true],
    ['ProfilerStep#3', true],
    ['train_step', true],
    ['stepping', false],
    ['optimizer.step', false],
    ['', false],
  ])('%j is a training step: %j', (name, step) => {
    const names = new Names();
    expect(names.steps[names.numberOf(name)]).toBe(step);
  });

  test('a search finds names in any case, also those that come later', () => {
    const names = new Names();
    names.numberOf('MatMul');
    expect(names.searching).toBe(false);
    expect(names.found).toEqual([false]);
    names.search('mul');
    names.numberOf('mul_add');
    names.numberOf('relu');
    expect(names.found).toEqual([true, true, false]);
    names.search('');
    expect(names.found).toEqual([false, false, false]);
  });
});
