import { expect, test } from 'vitest';
import { detailOf, findingOf, ruleOf } from '../../api/runs_for_test';
import { findingMarks } from './finding_marks';

test('the first finding with a step of each debugging rule', () => {
  const marks = findingMarks(
    detailOf({
      rules_seen: [
        ruleOf({ name: 'A', findings: [findingOf({ step: -1 }), findingOf({ step: 3 })] }),
        ruleOf({ name: 'B', findings: [findingOf({ step: 0, tensor: '' })] }),
        ruleOf({ name: 'C', kind: 'profiler', findings: [findingOf()] }),
        ruleOf({ name: 'D' }),
      ],
    }),
  );
  expect(marks.map(({ x, label }) => [x, label])).toEqual([
    [3, 'A, step 3'],
    [0, 'B, step 0'],
  ]);
  expect(marks[0]?.go).toContain('tensor=g&step=3');
  expect(marks[1]).not.toHaveProperty('go');
});

test('not more than can be read', () => {
  const rules = Array.from({ length: 50 }, () => ruleOf({ findings: [findingOf()] }));
  expect(findingMarks(detailOf({ rules_seen: rules }))).toHaveLength(20);
});
