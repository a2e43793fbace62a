// What the table of ranks says in words.

import type { Rank } from '../../api/types';
import { duration } from '../../base/format';

// 'worker_2 is slower …'.
export function rankVerdict(ranks: readonly Rank[]): { words: string; slow: boolean } {
  const slow = ranks.find((rank) => rank.slow);
  if (slow) {
    const others = ranks.flatMap(({ worker, own_seconds: own }) =>
      own === null || worker === slow.worker ? [] : [own],
    );
    others.sort((a, b) => a - b);
    const usual = others[Math.floor(others.length / 2)] ?? NaN;
    const words = `${slow.worker} is slower than the others: it needs ${duration(slow.own_seconds ?? NaN)} for its part of a step, the others ${duration(usual)}. They wait for it.`;
    return { words, slow: true };
  }
  const known = ranks.filter(({ own_seconds: own }) => own !== null).length > 1;
  return {
    words: known
      ? 'No rank is slower than the others.'
      : 'How long ranks wait for each other is not known. It is measured where DistributedDataParallel averages gradients on CPUs.',
    slow: false,
  };
}

// '+2.5 s ± 1.2 ms'; of the rank that the others are compared with, 'reference'.
export function clockWords({ clock }: Rank, isFirst: boolean): string {
  if (clock === null) return '–';
  if (isFirst) return 'reference';
  const sign = clock.offset < 0 ? '−' : '+';
  return `${sign}${duration(Math.abs(clock.offset))} ± ${duration(clock.error)}`;
}

// The parts of a step as shares of the longest step: work, data, waiting for others.
export function stepShares(rank: Rank, longest: number): [number, number, number] {
  const { own_seconds: own, loader_seconds: loader, exchange_seconds: wait } = rank;
  if (own === null || !(longest > 0)) return [0, 0, 0];
  const data = Math.min(loader ?? 0, own);
  return [(own - data) / longest, data / longest, (wait ?? 0) / longest];
}
