import { describe, expect, test } from 'vitest';
import {
  calibrationCurve,
  type ClassCurve,
  type Classifier,
  type ClassifierHeader,
  classRows,
  confusions,
  macro,
  matrixRows,
  precisionCurve,
  rocCurve,
  shownCurves,
  thresholdsOf,
} from './classifier_data';

const curveOf = (id: number, auc: number | null, more: Partial<ClassCurve> = {}): ClassCurve => ({
  class: id,
  positives: 2,
  negatives: 2,
  auc,
  average_precision: auc,
  best: 1,
  begin: 0,
  points: 0,
  ...more,
});

function classifier(header: Partial<ClassifierHeader>, columns = {}): Classifier {
  const known = new Map<string, number[]>(Object.entries(columns));
  return {
    header: {
      labels: 'labels',
      predictions: 'predictions',
      step: 0,
      scores: 'probabilities',
      samples: 4,
      left_out: 0,
      all_classes: 2,
      accuracy: 0.75,
      classes: [
        { id: 0, labeled: 3, predicted: 2, right: 2 },
        { id: 7, labeled: 1, predicted: 2, right: 1 },
      ],
      curves: [],
      why_no_curves: '',
      calibration: [],
      calibration_error: 0,
      ...header,
    },
    column: (name) => new Float64Array(known.get(name) ?? []),
  };
}

test('the matrix and its largest confusions', () => {
  const given = classifier({}, { matrix: [2, 1, 0, 1] });
  expect(matrixRows(given)).toEqual([
    [2, 1],
    [0, 1],
  ]);
  expect(confusions(given)).toEqual([[0, 7, 1, 1 / 3]]);
});

test('what is known of each class', () => {
  const rows = classRows(classifier({ curves: [curveOf(7, 0.5)] }));
  expect(rows).toEqual([
    { id: 0, samples: 3, recall: 2 / 3, precision: 1, f1: 0.8, auc: null, averagePrecision: null },
    { id: 7, samples: 1, recall: 1, precision: 0.5, f1: 2 / 3, auc: 0.5, averagePrecision: 0.5 },
  ]);
  const never = { id: 1, labeled: 0, predicted: 0, right: 0 };
  expect(classRows(classifier({ classes: [never] }))[0]?.recall).toBeNull();
  expect(macro([1, null, 0.5])).toBe(0.75);
  expect(macro([null])).toBeNull();
});

describe('curves', () => {
  // Three thresholds: 0.9 finds one of two, 0.5 one more and one wrong.
  const curve = curveOf(1, 0.75, { points: 3, begin: 1 });
  const given = classifier(
    { curves: [curve] },
    {
      thresholds: [9, Infinity, 0.9, 0.5],
      true_positives: [9, 0, 1, 2],
      false_positives: [9, 0, 0, 1],
    },
  );

  test('false against true positives', () => {
    const { name, points } = rocCurve(given, curve, 'class 1');
    expect(name).toBe('class 1 (0.75)');
    expect(points.map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [0, 0.5],
      [0.5, 1],
    ]);
    expect(points[1]?.words).toEqual([
      'class 1',
      'true positives 50 %, false positives 0 %',
      'threshold 0.9',
    ]);
  });

  test('recall against precision begins at the left', () => {
    const { points, steps } = precisionCurve(given, curve, 'class 1');
    expect(steps).toBe(true);
    expect(points.map(({ x, y }) => [x, y])).toEqual([
      [0, 1],
      [0.5, 1],
      [1, 2 / 3],
    ]);
  });

  test('thresholds for the handle', () => {
    expect(thresholdsOf(given, curve)).toEqual({
      positives: 2,
      negatives: 2,
      best: 1,
      points: [
        [null, 0, 0],
        [0.9, 1, 0],
        [0.5, 2, 1],
      ],
    });
  });

  test('the chosen one, or the worst ones', () => {
    const many = Array.from({ length: 12 }, (_, i) => curveOf(i, i === 3 ? null : 1 - i / 20));
    const all = classifier({ curves: many });
    expect(shownCurves(all, '5').map((one) => one.class)).toEqual([5]);
    expect(shownCurves(all, '3')).toHaveLength(8);
    expect(shownCurves(all, '').map((one) => one.class)).toEqual([11, 10, 9, 8, 7, 6, 5, 4]);
    const few = classifier({ curves: many.slice(0, 3) });
    expect(shownCurves(few, '').map((one) => one.class)).toEqual([0, 1, 2]);
  });
});

test('calibration has no points for empty bins', () => {
  const bins = [
    { count: 0, confidence: 0, right: 0 },
    { count: 4, confidence: 0.75, right: 0.5 },
  ];
  const { points } = calibrationCurve(classifier({ calibration: bins }));
  expect(points).toEqual([
    { x: 0.75, y: 0.5, words: ['50 % of 4 samples', 'predicted with 75 % on average'] },
  ]);
});
