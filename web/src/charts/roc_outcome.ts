// The metrics of a classifier at a threshold.

import { figure } from '../base/format';

export type Point = [number | null, number, number];

export interface RocData {
  positives: number;
  negatives: number;
  best: number;
  points: Point[];
}

export const percent = (share: number): string => `${figure(Math.round(share * 1000) / 10)} %`;
export const ratio = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

// The metrics at the threshold of a point, as names and values.
export function outcome(data: RocData, [threshold, right, wrong]: Point): [string, string][] {
  const precision = ratio(right, right + wrong);
  const recall = ratio(right, data.positives);
  return [
    ['threshold', threshold === null ? 'above all scores' : String(threshold)],
    ['true positive rate (recall)', percent(recall)],
    ['false positive rate', percent(ratio(wrong, data.negatives))],
    ['precision', percent(precision)],
    ['F1', figure(ratio(2 * precision * recall, precision + recall))],
    ['accuracy', percent(ratio(right + data.negatives - wrong, data.positives + data.negatives))],
    ['false positives', wrong.toLocaleString('en')],
    ['false negatives', (data.positives - right).toLocaleString('en')],
  ];
}
