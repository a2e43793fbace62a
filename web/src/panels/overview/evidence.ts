// The tensor data behind a finding: statistic, threshold, series.

import { type Client, below } from '../../api/client';
import type { Finding, RunDetail, TensorInfo } from '../../api/types';
import type { PlotSeries } from '../../plots/series_points';
import { inParts } from '../common/parts';
import { plotted, type SeriesHeader } from '../common/series';

interface Shows {
  statistic: string;
  // Converts the rule's threshold to the statistic; absent: the threshold is about something else.
  scale?: number;
}

// Rules that check a statistic we can draw. Others show the tensor's default statistic.
const SHOWS: Record<string, Shows> = {
  AllZero: { statistic: 'zeros', scale: 0.01 },
  DeadRelu: { statistic: 'zeros' },
  ExplodingTensor: { statistic: 'nans' },
  GradientNormSpike: { statistic: 'l2' },
  LossNotDecreasing: { statistic: 'value' },
  LossSpike: { statistic: 'value' },
  NaNOrigin: { statistic: 'nans' },
  Overfit: { statistic: 'value' },
  Overtraining: { statistic: 'value' },
  PoorWeightInitialization: { statistic: 'std' },
  TensorVariance: { statistic: 'variance', scale: 1 },
  UnchangedTensor: { statistic: 'mean' },
  VanishingGradient: { statistic: 'abs_mean', scale: 1 },
  WeightUpdateRatio: { statistic: 'l2' },
};

const OTHERWISE = ['value', 'abs_mean', 'mean', 'l2', 'abs_max', 'max'];

export interface Evidence {
  tensor: string;
  statistic: string;
  threshold?: number;
  step: number;
  worker: string;
}

// Null: the finding has no tensor, or the tensor is not in the run.
export function evidenceOf(
  rule: string,
  finding: Finding,
  tensors: Map<string, TensorInfo>,
): Evidence | null {
  const info = tensors.get(finding.tensor);
  if (!info || finding.step < 0) return null;
  const shows = Object.hasOwn(SHOWS, rule) ? SHOWS[rule] : undefined;
  const wanted = shows ? [shows.statistic, ...OTHERWISE] : OTHERWISE;
  const statistic = wanted.find((name) => info.statistics.includes(name)) ?? info.statistics[0];
  if (statistic === undefined) return null;
  const found = { tensor: finding.tensor, statistic, step: finding.step, worker: finding.worker };
  const fits =
    shows?.scale !== undefined &&
    statistic === shows.statistic &&
    typeof finding.threshold === 'number';
  return fits ? { ...found, threshold: (finding.threshold as number) * (shows.scale ?? 1) } : found;
}

// The series of all of them, in as few requests as possible; null for missing series.
export async function askEvidence(
  client: Client,
  run: RunDetail,
  wanted: Evidence[],
  signal: AbortSignal,
): Promise<(PlotSeries | null)[]> {
  const answers: (PlotSeries | null)[] = wanted.map(() => null);
  const workers = [...new Set(wanted.map(({ worker }) => worker))];
  for (const worker of workers) {
    const of = wanted
      .map((one, index) => ({ one, index }))
      .filter(({ one }) => one.worker === worker);
    for (const part of inParts(of, ({ one }) => one.tensor)) {
      if (signal.aborted) break;
      const series = await askPart(
        client,
        run,
        part.map(({ one }) => one),
        signal,
      );
      part.forEach(({ index }, i) => (answers[index] = series[i] ?? null));
    }
  }
  return answers;
}

async function askPart(
  client: Client,
  run: RunDetail,
  part: Evidence[],
  signal: AbortSignal,
): Promise<(PlotSeries | null)[]> {
  const query = {
    tensor: part.map(({ tensor }) => tensor),
    statistic: part.map(({ statistic }) => statistic),
    worker: part[0]?.worker ?? '',
    mode: 'GLOBAL', // As the steps of findings.
    points: 240,
  };
  const answer = await client.columns<SeriesHeader>(below(run.id, 'series'), { query, signal });
  if (!answer.ok) return [];
  const shown = plotted(
    answer.value,
    part.map((_, i) => String(i)),
  );
  return part.map((_, i) => shown.find(({ name }) => name === String(i)) ?? null);
}
