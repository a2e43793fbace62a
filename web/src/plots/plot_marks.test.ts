import { describe, expect, test } from 'vitest';
import { flagsOf, type PlotMark } from './plot_marks';

const mark = (x: number): PlotMark => ({ x, label: `step ${x}` });
const shown = (marks: PlotMark[], place: (x: number) => number = (x) => x): [number, number][] =>
  flagsOf(marks, place, 100).map(({ left, marks: of }) => [left, of.length]);

describe('flagsOf', () => {
  test('sorted, without those outside', () => {
    expect(shown([mark(90), mark(10), mark(-2), mark(102), mark(101)])).toEqual([
      [10, 1],
      [90, 1],
      [101, 1],
    ]);
  });

  test('close ones share a flag at the first', () => {
    expect(shown([mark(20), mark(28), mark(29), mark(60)])).toEqual([
      [20, 2],
      [29, 1],
      [60, 1],
    ]);
  });

  test('marks at the same place keep their order', () => {
    const [first, second] = [
      { x: 5, label: 'first' },
      { x: 5, label: 'second' },
    ];
    expect(flagsOf([first, second], (x) => x, 100)[0]?.marks).toEqual([first, second]);
  });

  test('what has no place is left out', () => {
    expect(shown([mark(NaN), mark(Infinity)])).toEqual([]);
    expect(shown([mark(1)], () => NaN)).toEqual([]);
    expect(shown([])).toEqual([]);
  });
});
