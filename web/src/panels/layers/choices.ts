// The collections and statistics to choose from, and those that are shown first.

import type { TensorInfo } from '../../api/types';

export const EVERYTHING = 'all tensors';
// Collections that show trouble first.
const FIRST_COLLECTIONS = [
  'gradients',
  'weights',
  'relu_output',
  'outputs',
  'layers',
  'biases',
  'default',
  'all',
];
const FIRST_STATISTICS = ['abs_mean', 'l2', 'abs_max', 'std', 'mean', 'max', 'min', 'value'];

interface Option {
  value: string;
  label: string;
}

export function usualCollection(tensors: readonly TensorInfo[]): string {
  const there = new Set(tensors.flatMap(({ collections }) => collections));
  return FIRST_COLLECTIONS.find((name) => there.has(name)) ?? EVERYTHING;
}

// tensors: of the collection.
export function usualStatistic(tensors: readonly TensorInfo[]): string {
  const there = new Set(tensors.flatMap(({ statistics }) => statistics));
  return FIRST_STATISTICS.find((name) => there.has(name)) ?? [...there][0] ?? 'mean';
}

export const insideOf = (tensors: readonly TensorInfo[], collection: string): TensorInfo[] =>
  tensors.filter(
    ({ collections }) => collection === EVERYTHING || collections.includes(collection),
  );

// With their numbers of tensors; everything comes last.
export function collectionOptions(tensors: readonly TensorInfo[]): Option[] {
  const counts = new Map<string, number>();
  for (const { collections } of tensors)
    for (const name of collections) counts.set(name, (counts.get(name) ?? 0) + 1);
  counts.set(EVERYTHING, tensors.length);
  return [...counts].map(([value, count]) => ({
    value,
    label: `${value} (${count.toLocaleString('en')})`,
  }));
}
