import { describe, expect, test } from 'vitest';
import type { Screen } from './painter';
import { marksOf } from './model/marks';
import { markAt, tickMarks } from './ruler';

const screenOf = (from: number, to: number): Screen => ({
  from,
  to,
  width: 1200,
  height: 500,
  ratio: 1,
  scroll: 0,
});

describe('tickMarks', () => {
  const words = (from: number, to: number): string[] =>
    tickMarks(screenOf(from, to)).map((tick) => tick.words.replaceAll('\u202f', ' '));

  test('fractions of a second', () => {
    expect(words(0, 1e6).slice(0, 3)).toEqual(['0.0 s', '0.1 s', '0.2 s']);
    expect(words(1e6, 1e6 + 10).slice(0, 2)).toEqual(['1.000 000 s', '1.000 001 s']);
  });

  test('whole seconds, minutes and hours above', () => {
    expect(words(60e6, 85e6)).toEqual(['1:00', '1:05', '1:10', '1:15', '1:20', '1:25']);
    expect(words(3600e6, 3840e6).slice(0, 3)).toEqual(['1:00:00', '1:00:30', '1:01:00']);
  });

  test.each([0.1, 1, 250, 7e4, 2.2e6, 25e6, 1e9, 1e12])(
    'labels differ in a window of %f',
    (span) => {
      const found = words(5e9, 5e9 + span);
      expect(found.length).toBeGreaterThan(2);
      expect(new Set(found).size).toBe(found.length);
    },
  );

  test('where they are', () => {
    expect(tickMarks(screenOf(0, 1e6)).map(({ x }) => x)).toEqual([
      0, 120, 240, 360, 480, 600, 720, 840, 960, 1080, 1200,
    ]);
  });
});

describe('marks', () => {
  const outlier = { step: 3, mode: 'TRAIN', node: 'n', time: 2, duration: 0.5, usual: 0.1 };
  const finding = { rule: 'R', id: 1, time: 1.5, step: -1, message: 'idle' };
  const marks = marksOf({ loop: null, outliers: [outlier], findings: [finding] }, 1e6, () => null);

  test('in microseconds from the start, sorted', () => {
    expect(marks).toEqual([
      { time: 5e5, kind: 'finding', step: -1, words: 'R: idle' },
      { time: 1e6, kind: 'outlier', step: 3, words: 'Step 3 took 500 ms (typical: 100 ms)' },
    ]);
  });

  test('without a time there is no mark', () => {
    const odd = { loop: null, outliers: [], findings: [{ ...finding, time: NaN }] };
    expect(marksOf(odd, 0, () => null)).toEqual([]);
  });

  test('the one under the pointer, the last of several', () => {
    const screen = screenOf(0, 1.2e6); // 1000 microseconds per pixel.
    expect(markAt(marks, screen, 506)?.kind).toBe('finding');
    expect(markAt(marks, screen, 508)).toBeUndefined();
    expect(markAt(marks, screenOf(0, 1.2e9), 1)?.kind).toBe('outlier');
    expect(markAt([], screen, 500)).toBeUndefined();
  });
});
