// Which tensors are points and labels, how many rows are requested, and the colors of labels.

import type { TensorInfo } from '../../api/types';
import type { Method } from '../../embedding/layout';
import { MOST_VALUES } from './value';

const MOST_ROWS: Record<Method, number> = { pca: 4000, tsne: 1000, umap: 1000 };
const MOST_COLUMNS = 4096;
const MOST_CLASSES = 16; // More different labels are shown as numbers on a ramp.

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

// A tensor with at least three rows; further axes are joined to one.
export const isPoints = ({ values, shape }: TensorInfo): boolean =>
  values &&
  shape !== null &&
  shape.length >= 2 &&
  (shape[0] ?? 0) >= 3 &&
  product(shape.slice(1)) >= 2;

// One value for each row.
export const isLabels = ({ values, shape }: TensorInfo, rows: number): boolean =>
  values && shape !== null && shape[0] === rows && product(shape) === rows;

// The selected tensor, else what is most likely an embedding: by its name, then the last output.
export function likelyPoints(all: readonly TensorInfo[], selected: string): TensorInfo | undefined {
  const points = all.filter(isPoints);
  const saved = points.filter(
    ({ name, collections }) =>
      !/^gradient/i.test(name) && !collections.some((one) => /weights|biases|gradients/.test(one)),
  );
  return (
    points.find(({ name }) => name === selected) ??
    points.find(({ name }) => /embed|latent|feature/i.test(name)) ??
    saved.filter(({ shape }) => shape?.length === 2).at(-1) ??
    saved.at(-1) ??
    points[0]
  );
}

export const likelyLabels = (all: readonly TensorInfo[], rows: number): TensorInfo | undefined =>
  all.find((info) => isLabels(info, rows) && /label|target|class|truth/i.test(info.name));

export interface Sample {
  readonly slice: string;
  readonly labels: string; // The same rows of a tensor of labels.
  readonly every: number; // Every n-th row.
  readonly everyColumn: number; // Every n-th number of the last axis.
}

// What is requested of a tensor: not more rows than the method can place in a few seconds.
export function sampleOf(shape: readonly number[], method: Method): Sample {
  const [rows = 0, ...rest] = shape;
  const last = rest.at(-1) ?? 1;
  const others = product(rest.slice(0, -1));
  const everyColumn = Math.min(last, Math.ceil((last * others) / MOST_COLUMNS)) || 1;
  const columns = Math.ceil(last / everyColumn) * others;
  const most = Math.max(3, Math.min(MOST_ROWS[method], Math.floor(MOST_VALUES / columns)));
  const every = Math.max(1, Math.ceil(rows / most));
  const parts = [`0:${rows}:${every}`, ...rest.map(() => ':')];
  parts[parts.length - 1] = `0:${last}:${everyColumn}`;
  return { slice: parts.join(','), labels: `0:${rows}:${every}`, every, everyColumn };
}

// Labels as colors: one of the page's series colors for each class, or a place on a ramp.
export type Coloring =
  | { kind: 'none' }
  | { kind: 'classes'; classes: readonly string[]; of: Int32Array } // -1: without a label.
  | { kind: 'ramp'; low: number; high: number; values: Float64Array };

export function coloringOf(labels: readonly (number | string)[]): Coloring {
  if (labels.length === 0) return { kind: 'none' };
  const known = (label: number | string): boolean => label !== '' && !Number.isNaN(label);
  const different = [...new Set(labels.filter(known))];
  const numbers = different.filter((label): label is number => typeof label === 'number');
  if (different.length > MOST_CLASSES && numbers.length === different.length) {
    const finite = numbers.filter(Number.isFinite);
    const [low, high] = [Math.min(...finite), Math.max(...finite)];
    return { kind: 'ramp', low, high, values: Float64Array.from(labels, Number) };
  }
  const sorted = different.sort((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
  );
  const places = new Map(sorted.map((label, i) => [label, i]));
  const of = Int32Array.from(labels, (label) => places.get(label) ?? -1);
  return { kind: 'classes', classes: sorted.map(String), of };
}
