import { expect, test } from 'vitest';
import { detailOf } from '../../api/runs_for_test';
import type { TimeMarks } from '../../api/types';
import { plotMarks } from './marks';

const MARKS: TimeMarks = {
  loop: null,
  outliers: [{ step: 7, mode: 'TRAIN', node: 'n', time: 50, duration: 2.5, usual: 0.1 }],
  findings: [
    { rule: 'A', id: 1, time: 10, step: 3, message: 'x & y' },
    { rule: 'B', id: 1, time: 20, step: -1, message: 'idle' },
    { rule: 'C', id: 1, time: null, step: 4, message: 'NaN' },
    { rule: 'D', id: 1, time: null, step: 9999, message: 'no such step' },
  ],
};

test('findings, slow steps and the moment of a link', () => {
  const marks = plotMarks(detailOf({ id: 'a/b' }), MARKS, 99, (step) => (step === 4 ? 30 : null));
  expect(marks.map(({ x, label }) => [x, label])).toEqual([
    [10, 'A at step 3: x & y'],
    [20, 'B: idle'],
    [30, 'C at step 4: NaN'],
    [50, 'Step 7 took 2.5 s (typical: 100 ms)'],
    [99, 'Here'],
  ]);
  expect(marks.map(({ go }) => go)).toEqual([
    '#/run/a%2Fb/overview?rule=A&step=3',
    '#/run/a%2Fb/overview?rule=B&step=-1',
    '#/run/a%2Fb/overview?rule=C&step=4',
    '#/run/a%2Fb/timeline?at=50',
    undefined,
  ]);
});

test('slow steps lead nowhere without a timeline', () => {
  const run = detailOf({ has: { ...detailOf().has, timeline: false } });
  expect(plotMarks(run, { ...MARKS, findings: [] }, null, () => null)[0]).not.toHaveProperty('go');
});

test('nothing', () => {
  expect(plotMarks(detailOf(), null, null, () => null)).toEqual([]);
});
