import { describe, expect, test } from 'vitest';
import { detailOf, findingOf, ruleOf } from '../../api/runs_for_test';
import { findingMarks, nanMarks } from './chart_marks';

const byStep = (step: number): number => step;

describe('findingMarks', () => {
  test('the first finding with a step of each debugging rule', () => {
    const marks = findingMarks(
      detailOf({
        rules_seen: [
          ruleOf({ name: 'A', findings: [findingOf({ step: -1 }), findingOf({ step: 3 })] }),
          ruleOf({
            name: 'B',
            findings: [findingOf({ step: 0, tensor: '', severity: 'warning' })],
          }),
          ruleOf({ name: 'C', kind: 'profiler', findings: [findingOf()] }),
          ruleOf({ name: 'D' }),
          ruleOf({ name: 'E', shadow: true, findings: [findingOf()] }),
        ],
      }),
      byStep,
    );
    expect(marks.map(({ x, label, tone }) => [x, label, tone])).toEqual([
      [3, 'A, step 3', 'bad'],
      [0, 'B, step 0', 'warning'],
    ]);
    expect(marks[0]?.go).toContain('tensor=g&step=3');
    expect(marks[1]).not.toHaveProperty('go');
  });

  test('on an axis of times, where those are known', () => {
    const rules = [3, 4].map((step) => ruleOf({ findings: [findingOf({ step })] }));
    const marks = findingMarks(detailOf({ rules_seen: rules }), (step) =>
      step === 3 ? 1000 : null,
    );
    expect(marks.map(({ x }) => x)).toEqual([1000]);
  });

  test('not more than can be read', () => {
    const rules = Array.from({ length: 50 }, () => ruleOf({ findings: [findingOf()] }));
    expect(findingMarks(detailOf({ rules_seen: rules }), byStep)).toHaveLength(20);
  });
});

test('nanMarks tell where each series breaks', () => {
  const told = {
    tensor: '',
    statistic: 'value',
    worker: '',
    mode: 'TRAIN' as const,
    found: true,
    steps_per_point: 1,
  };
  const marks = nanMarks(
    [
      { ...told, nans: 0, first_nan: null },
      { ...told, nans: 9, first_nan: 51 },
      told, // An older server.
    ],
    ['a', 'loss', 'c'],
    (x) => x * 2,
    (x) => `step ${x}`,
  );
  expect(marks).toEqual([{ x: 102, label: 'loss: NaN since step 51 (9 NaN values)', tone: 'bad' }]);
});
