// The statistics of a tensor: order, display names, color ramps.

export type Ramp = 'sequential' | 'diverging' | 'log';

const REDUCTIONS = ['min', 'max', 'mean', 'std', 'variance', 'sum', 'l1', 'l2'];
export const STATISTICS: readonly string[] = [
  'value',
  ...REDUCTIONS,
  ...REDUCTIONS.map((name) => `abs_${name}`),
  'nans',
  'infs',
  'zeros',
];

const WORDS = new Map(
  Object.entries({
    value: 'value',
    min: 'minimum',
    max: 'maximum',
    mean: 'mean',
    std: 'standard deviation',
    variance: 'variance',
    sum: 'sum',
    l1: 'L1 norm',
    l2: 'L2 norm',
    nans: 'share of NaN',
    infs: 'share of infinities',
    zeros: 'share of zeros',
  }),
);

export function statisticWords(statistic: string): string {
  const plain = WORDS.get(statistic);
  if (plain) return plain;
  const of = WORDS.get(statistic.replace(/^abs_/, ''));
  return of ? `${of} of absolute values` : statistic;
}

export const isShare = (statistic: string): boolean =>
  ['nans', 'infs', 'zeros'].includes(statistic);

// Magnitudes differ by powers of ten between layers; shares and signed values do not.
export function rampOf(statistic: string): Ramp {
  if (isShare(statistic)) return 'sequential';
  return statistic.startsWith('abs_') || ['std', 'variance', 'l1', 'l2'].includes(statistic)
    ? 'log'
    : 'diverging';
}

export function inOrder(statistics: Iterable<string>): string[] {
  const place = (name: string): number => {
    const at = STATISTICS.indexOf(name);
    return at < 0 ? STATISTICS.length : at;
  };
  return [...new Set(statistics)].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

// The statistics to show first.
export function usualStatistics(available: readonly string[], several: boolean): string[] {
  if (available.includes('value')) return ['value'];
  const spread = ['min', 'mean', 'max'].filter((name) => available.includes(name));
  if (!several && spread.length > 1) return spread;
  const first =
    ['mean', 'abs_mean', 'l2', 'std', 'max', 'min'].find((name) => available.includes(name)) ??
    available[0];
  return first === undefined ? ['mean'] : [first];
}
