import { describe, expect, test } from 'vitest';
import { nameMeant, readChosen, shownNames, writeChosen } from './chosen_names';

const ALL = ['Backward', 'Forward', 'Loss', 'Optimize', 'step'];

describe('which histograms are shown', () => {
  test('the first ones, if nothing was chosen', () => {
    expect(shownNames(ALL, null)).toEqual(['Backward', 'Forward', 'Loss', 'Optimize']);
  });

  test('the chosen ones, in their order, once, if the run has them', () => {
    expect(shownNames(ALL, ['step', 'gone', 'Loss', 'step'])).toEqual(['step', 'Loss']);
    expect(shownNames(ALL, [])).toEqual([]);
  });

  test.each([[null], [[]], [['step', 'a b']]])('the URL restores %s', (chosen) => {
    const params = new URLSearchParams();
    writeChosen(chosen, params);
    expect(readChosen(new URLSearchParams(params.toString()))).toEqual(chosen);
  });
});

test.each([
  ['Forward', 'Forward'],
  [' forward ', 'Forward'],
  ['back', 'Backward'],
  ['o', 'Optimize'],
  ['', null],
  ['nothing', null],
])('"%s" means %s', (typed, name) => {
  expect(nameMeant(typed, ALL)).toBe(name);
});

test('what several names begin with means none of them', () => {
  expect(nameMeant('s', ['step', 'sync'])).toBeNull();
  expect(nameMeant('step', ['step', 'step_end'])).toBe('step');
});
