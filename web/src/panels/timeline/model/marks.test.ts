import { expect, test } from 'vitest';
import { marksOf } from './marks';

test('findings of steps that the timeline does not have are where the step was saved', () => {
  const finding = { rule: 'A', id: 1, message: 'NaN' };
  const marks = marksOf(
    {
      loop: null,
      outliers: [{ step: 7, mode: 'TRAIN', node: 'n', time: 50, duration: 2.5, usual: 0.1 }],
      findings: [
        { ...finding, time: null, step: 3 },
        { ...finding, time: 60, step: 4 },
        { ...finding, time: null, step: 99 },
      ],
    },
    10e6,
    (step) => (step === 3 ? 20 : null),
  );
  expect(marks.map(({ time, kind, step }) => [time, kind, step])).toEqual([
    [10e6, 'finding', 3],
    [40e6, 'outlier', 7],
    [50e6, 'finding', 4],
  ]);
});
