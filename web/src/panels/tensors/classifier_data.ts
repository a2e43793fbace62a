// What the service tells of a classifier at a step, made ready for charts and tables.

import type { Columns } from '../../api/columns';
import type { CurveData } from '../../charts/unit_curves';
import type { RocData } from '../../charts/roc_outcome';
import { figure } from '../../base/format';

export interface ClassifierHeader {
  labels: string;
  predictions: string;
  step: number;
  scores: 'classes' | 'probabilities' | 'scores' | 'logits';
  samples: number;
  left_out: number;
  all_classes: number;
  accuracy: number;
  classes: { id: number; labeled: number; predicted: number; right: number }[];
  curves: ClassCurve[];
  why_no_curves: string;
  calibration: { count: number; confidence: number; right: number }[];
  calibration_error: number;
}

export interface ClassCurve {
  class: number;
  positives: number;
  negatives: number;
  auc: number | null;
  average_precision: number | null;
  best: number;
  begin: number; // Where its points begin in the columns.
  points: number;
}

export type Classifier = Columns<ClassifierHeader>;

export const MOST_CURVES = 8; // Colors.
const MOST_CONFUSIONS = 8;

const ratio = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

// One row for each label.
export function matrixRows({ header, column }: Classifier): number[][] {
  const n = header.classes.length;
  const counts = Array.from(column('matrix'));
  return header.classes.map((_, i) => counts.slice(i * n, (i + 1) * n));
}

// Label, prediction, count and share of the label; the most frequent first.
export function confusions(classifier: Classifier): [number, number, number, number][] {
  const { classes } = classifier.header;
  return matrixRows(classifier)
    .flatMap((row, i) =>
      row.map((count, j): [number, number, number, number] => [
        classes[i]?.id ?? 0,
        classes[j]?.id ?? 0,
        count,
        count / Math.max(1, classes[i]?.labeled ?? 1),
      ]),
    )
    .filter(([label, predicted, count]) => label !== predicted && count > 0)
    .sort((a, b) => b[2] - a[2])
    .slice(0, MOST_CONFUSIONS);
}

export interface ClassRow {
  id: number;
  samples: number;
  recall: number | null;
  precision: number | null;
  f1: number | null;
  auc: number | null;
  averagePrecision: number | null;
}

export function classRows({ header }: Classifier): ClassRow[] {
  return header.classes.map(({ id, labeled, predicted, right }) => {
    const curve = header.curves.find((one) => one.class === id);
    return {
      id,
      samples: labeled,
      recall: ratio(right, labeled),
      precision: ratio(right, predicted),
      f1: ratio(2 * right, labeled + predicted),
      auc: curve?.auc ?? null,
      averagePrecision: curve?.average_precision ?? null,
    };
  });
}

// The mean over the classes that have one, each counting the same.
export function macro(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return ratio(
    known.reduce((sum, value) => sum + value, 0),
    known.length,
  );
}

// Classes with an area under their curve: the chosen one, or those with the smallest areas.
export function shownCurves({ header }: Classifier, chosen: string): ClassCurve[] {
  const curves = header.curves.filter(({ auc }) => auc !== null);
  const one = curves.find((curve) => String(curve.class) === chosen);
  if (one) return [one];
  if (curves.length <= MOST_CURVES) return curves;
  return [...curves].sort((a, b) => (a.auc ?? 0) - (b.auc ?? 0)).slice(0, MOST_CURVES);
}

// Threshold (Infinity: nothing is taken for positive), true and false positives.
function pointsOf({ column }: Classifier, { begin, points }: ClassCurve): number[][] {
  const part = (name: string): number[] => Array.from(column(name).slice(begin, begin + points));
  const [right, wrong] = [part('true_positives'), part('false_positives')];
  return part('thresholds').map((threshold, i) => [threshold, right[i] ?? 0, wrong[i] ?? 0]);
}

const thresholdWords = (threshold: number): string =>
  Number.isFinite(threshold) ? `threshold ${figure(threshold)}` : 'above all scores';
const percent = (share: number): string => `${figure(Math.round(share * 1000) / 10)} %`;

export function rocCurve(classifier: Classifier, curve: ClassCurve, name: string): CurveData {
  return {
    name: `${name} (${figure(curve.auc ?? NaN)})`,
    points: pointsOf(classifier, curve).map(([threshold = 0, right = 0, wrong = 0]) => {
      const [recall, false_rate] = [right / curve.positives, wrong / curve.negatives];
      const words = `true positives ${percent(recall)}, false positives ${percent(false_rate)}`;
      return { x: false_rate, y: recall, words: [name, words, thresholdWords(threshold)] };
    }),
  };
}

// From the highest threshold on; precision has no value above all scores.
export function precisionCurve(classifier: Classifier, curve: ClassCurve, name: string): CurveData {
  const points = pointsOf(classifier, curve)
    .filter(([, right = 0, wrong = 0]) => right + wrong > 0)
    .map(([threshold = 0, right = 0, wrong = 0]) => {
      const [recall, precision] = [right / curve.positives, right / (right + wrong)];
      const words = `precision ${percent(precision)}, recall ${percent(recall)}`;
      return { x: recall, y: precision, words: [name, words, thresholdWords(threshold)] };
    });
  const [first] = points;
  const start = first ? [{ ...first, x: 0 }] : [];
  return {
    name: `${name} (${figure(curve.average_precision ?? NaN)})`,
    points: [...start, ...points],
    steps: true,
  };
}

// For the chart with a handle.
export const thresholdsOf = (classifier: Classifier, curve: ClassCurve): RocData => ({
  positives: curve.positives,
  negatives: curve.negatives,
  best: curve.best,
  points: pointsOf(classifier, curve).map(([threshold = 0, right = 0, wrong = 0]) => [
    Number.isFinite(threshold) ? Number(threshold.toPrecision(4)) : null,
    right,
    wrong,
  ]),
});

export const calibrationCurve = ({ header }: Classifier): CurveData => ({
  name: 'predictions',
  dots: true,
  points: header.calibration
    .filter(({ count }) => count > 0)
    .map(({ count, confidence, right }) => ({
      x: confidence,
      y: right,
      words: [
        `${percent(right)} of ${count.toLocaleString('en')} samples`,
        `predicted with ${percent(confidence)} on average`,
      ],
    })),
});
