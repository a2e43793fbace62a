import { describe, expect, test } from 'vitest';
import { outcome, percent, ratio, type RocData } from './roc_outcome';

const DATA: RocData = { positives: 10, negatives: 1990, best: 0, points: [] };
const at = (point: [number | null, number, number], data = DATA): Record<string, string> =>
  Object.fromEntries(outcome(data, point));

describe('outcome', () => {
  test('a threshold', () => {
    expect(at([0.5, 8, 2])).toEqual({
      threshold: '0.5',
      'true positive rate (recall)': '80 %',
      'false positive rate': '0.1 %',
      precision: '80 %',
      F1: '0.8',
      accuracy: '99.8 %',
      'false positives': '2',
      'false negatives': '2',
    });
  });

  test('nothing is positive', () => {
    const found = at([null, 0, 0]);
    expect(found['threshold']).toBe('above all scores');
    expect(found['precision']).toBe('0 %');
    expect(found['F1']).toBe('0');
    expect(found['false negatives']).toBe('10');
  });

  test('everything is positive', () => {
    const found = at([0, 10, 1990]);
    expect(found['true positive rate (recall)']).toBe('100 %');
    expect(found['false positives']).toBe('1,990');
    expect(found['accuracy']).toBe('0.5 %');
  });

  test('no rows', () => {
    const found = at([0, 0, 0], { ...DATA, positives: 0, negatives: 0 });
    expect(Object.values(found).join()).not.toMatch(/NaN|–/);
  });
});

test('ratio and percent', () => {
  expect(ratio(1, 0)).toBe(0);
  expect(ratio(1, 4)).toBe(0.25);
  expect(percent(0.12345)).toBe('12.3 %');
});
