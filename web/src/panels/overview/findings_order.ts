// Which findings are shown, and in which order.

import type { Finding, RuleView } from '../../api/types';

const firstStep = ({ findings }: RuleView): number =>
  findings.reduce((first, { step }) => (step < 0 ? first : Math.min(first, step)), Infinity);

// Earliest problem first; rules whose findings have no step last.
export function rulesWithFindings(rules: readonly RuleView[]): RuleView[] {
  const found = rules.filter(({ findings }) => findings.length > 0);
  const steps = new Map(found.map((rule) => [rule, firstStep(rule)]));
  return found.sort((a, b) => {
    const [first, second] = [steps.get(a) ?? Infinity, steps.get(b) ?? Infinity];
    return first === second ? 0 : first - second;
  });
}

// The first, which is closest to the cause, then the newest.
export function shownFindings({ findings }: RuleView, most: number): Finding[] {
  const [first, ...later] = [...findings].sort((a, b) => a.id - b.id);
  return first ? [first, ...later.reverse()].slice(0, most) : [];
}
