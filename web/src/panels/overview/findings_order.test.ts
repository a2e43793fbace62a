import { describe, expect, test } from 'vitest';
import { findingOf, ruleOf } from '../../api/runs_for_test';
import { rulesWithFindings, shownFindings } from './findings_order';

const ruleAt = (name: string, ...steps: number[]) =>
  ruleOf({ name, findings: steps.map((step, id) => findingOf({ id, step })) });

describe('rulesWithFindings', () => {
  const names = (...rules: ReturnType<typeof ruleAt>[]): string[] =>
    rulesWithFindings(rules).map(({ name }) => name);

  test('the earliest problem first, whatever its finding is', () => {
    expect(names(ruleAt('late', 9), ruleAt('early', 12, 3), ruleAt('none'))).toEqual([
      'early',
      'late',
    ]);
  });

  test('without a step last; such findings do not count otherwise', () => {
    expect(names(ruleAt('machine', -1), ruleAt('b', -1, 8), ruleAt('a', 5))).toEqual([
      'a',
      'b',
      'machine',
    ]);
  });

  test('ties keep their order', () => {
    expect(names(ruleAt('b', 4), ruleAt('a', 4), ruleAt('d', -1), ruleAt('c', -1))).toEqual([
      'b',
      'a',
      'd',
      'c',
    ]);
  });

  test('the list of the run is not changed', () => {
    const rules = [ruleAt('late', 9), ruleAt('early', 3)];
    rulesWithFindings(rules);
    expect(rules.map(({ name }) => name)).toEqual(['late', 'early']);
  });

  test('any number of findings', () => {
    const findings = Array.from({ length: 200_000 }, (_, id) =>
      findingOf({ id, step: 200_000 - id }),
    );
    const many = ruleOf({ name: 'many', findings });
    expect(names(ruleAt('second', 2), many)).toEqual(['many', 'second']);
  });
});

describe('shownFindings', () => {
  const ids = (findings: number[], most: number): number[] =>
    shownFindings(ruleOf({ findings: findings.map((id) => findingOf({ id })) }), most).map(
      ({ id }) => id,
    );

  test('the first, then the newest', () => {
    expect(ids([3, 1, 2, 5, 4], 3)).toEqual([1, 5, 4]);
    expect(ids([3, 1, 2], 100)).toEqual([1, 3, 2]);
    expect(ids([1], 3)).toEqual([1]);
    expect(ids([], 3)).toEqual([]);
  });
});
