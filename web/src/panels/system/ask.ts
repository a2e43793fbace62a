// Requests the series and the heat map of a node.

import { type Answer, below, type Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import type { RunId } from '../../api/types';
import type { Asked } from '../../plots/viewport';
import type { Answered } from './charts';

const AT_ONCE = 64; // Metric keys.

export interface HeatHeader {
  rows: { name: string; kind: 'cpu' | 'gpu' }[];
}

function taken(keys: readonly string[], answer: Columns<unknown>, into: Answered): void {
  keys.forEach((key, i) => {
    const [x, low, mean, high] = ['x', 'low', 'mean', 'high'].map((name) =>
      answer.column(`${name}${i}`),
    );
    if (x && low && mean && high) into.set(key, { x, low, mean, high });
  });
}

export async function askSeries(
  client: Client,
  run: RunId,
  node: string,
  keys: readonly string[],
  asked: Asked,
  signal: AbortSignal,
): Promise<Answer<Answered>> {
  const parts: string[][] = [];
  for (let i = 0; i < keys.length; i += AT_ONCE) parts.push(keys.slice(i, i + AT_ONCE));
  const answers = await Promise.all(
    parts.map((key) =>
      client.columns<unknown>(below(run, 'metrics/series'), {
        query: { node, key, ...asked },
        signal,
      }),
    ),
  );
  const all: Answered = new Map();
  for (const [i, answer] of answers.entries()) {
    if (!answer.ok) return answer;
    taken(parts[i] ?? [], answer.value, all);
  }
  return { ok: true, value: all };
}

export const askHeat = (
  client: Client,
  run: RunId,
  node: string,
  asked: Asked,
  signal: AbortSignal,
): Promise<Answer<Columns<HeatHeader>>> =>
  client.columns<HeatHeader>(below(run, 'metrics/heatmap'), {
    query: { node, from: asked.from, to: asked.to, columns: asked.points },
    signal,
  });
