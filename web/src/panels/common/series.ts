// Requests series of tensors and prepares them for plotting.

import { type Client, type Answer, below } from '../../api/client';
import type { Columns } from '../../api/columns';
import type { Mode } from '../../api/types';
import type { PlotSeries } from '../../plots/series_plot';
import type { Asked } from '../../plots/viewport';
import { inParts } from './parts';

export interface Wanted {
  tensor: string;
  statistic: string;
}

export interface SeriesHeader {
  series: {
    tensor: string;
    statistic: string;
    worker: string;
    mode: Mode;
    found: boolean;
    steps_per_point: number;
    nans?: number;
    first_nan?: number | null; // The x of the first NaN.
  }[];
  ingested?: { steps: number; total: number; done: boolean };
}

export interface SeriesQuestion {
  run: string;
  wanted: readonly Wanted[];
  mode: Mode;
  worker: string;
  asked: Asked;
  x?: 'mode' | 'global' | 'time'; // What x is; the mode's own steps if absent.
}

// A range of steps in the URL, rounded to what is visible.
export function writeRange(params: URLSearchParams, range: readonly [number, number] | null): void {
  if (!range) return;
  const exact = range[1] - range[0] > 10 ? 1 : 1000;
  params.set('from', String(Math.floor(range[0] * exact) / exact));
  params.set('to', String(Math.ceil(range[1] * exact) / exact));
}

// The window in whole steps, not before the first.
export const stepsOf = ({
  from,
  to,
}: Pick<Asked, 'from' | 'to'>): { from: number | undefined; to: number | undefined } => ({
  from: from === undefined ? undefined : Math.max(0, Math.floor(from)),
  to: to === undefined ? undefined : Math.max(0, Math.ceil(to)),
});

export async function askSeries(
  client: Client,
  question: SeriesQuestion,
  signal: AbortSignal,
): Promise<Answer<Columns<SeriesHeader>>> {
  const parts = inParts(question.wanted, ({ tensor }) => tensor);
  const [first = [], ...more] = parts;
  if (more.length === 0) return askPart(client, { ...question, wanted: first }, signal);
  const answers: Columns<SeriesHeader>[] = [];
  for (const answer of await Promise.all(
    parts.map((wanted) => askPart(client, { ...question, wanted }, signal)),
  )) {
    if (!answer.ok) return answer;
    answers.push(answer.value);
  }
  return { ok: true, value: joined(answers) };
}

function askPart(
  client: Client,
  question: SeriesQuestion,
  signal: AbortSignal,
): Promise<Answer<Columns<SeriesHeader>>> {
  const { run, wanted, mode, worker, asked, x } = question;
  const query = {
    tensor: wanted.map(({ tensor }) => tensor),
    statistic: wanted.map(({ statistic }) => statistic),
    mode,
    worker,
    ...(x === 'time' ? { from: asked.from, to: asked.to } : stepsOf(asked)),
    points: asked.points,
    x,
  };
  return client.columns<SeriesHeader>(below(run, 'series'), { query, signal });
}

// Merges the parts into one answer.
function joined(answers: readonly Columns<SeriesHeader>[]): Columns<SeriesHeader> {
  const places = answers.flatMap((answer) => answer.header.series.map((_, i) => ({ answer, i })));
  return {
    header: { series: answers.flatMap(({ header }) => header.series) },
    column: (name) => {
      const [, kind = '', at = ''] = /^([a-z]+)(\d+)$/.exec(name) ?? [];
      const place = places[Number(at)];
      return place ? place.answer.column(`${kind}${place.i}`) : new Float64Array();
    },
  };
}

// names: unique labels for the legend.
export function plotted(answer: Columns<SeriesHeader>, names: readonly string[]): PlotSeries[] {
  return answer.header.series.flatMap(({ found }, i) => {
    if (!found) return [];
    const [x, low, high] = [
      answer.column(`x${i}`),
      answer.column(`low${i}`),
      answer.column(`high${i}`),
    ];
    return [{ name: names[i] ?? `series ${i + 1}`, x, low, high, colour: i, nan: true }];
  });
}

// Points that may cover several saved steps.
export interface Measured extends PlotSeries {
  stepsPerPoint: number; // At least 1.
}

// at: where on the axis of the chart an x of the answer is.
export function measured(
  answer: Columns<SeriesHeader>,
  names: readonly string[],
  at: (x: number) => number,
): Measured[] {
  const told = answer.header.series.filter(({ found }) => found);
  return plotted(answer, names).map((series, i) => ({
    ...series,
    x: Float64Array.from(series.x, at),
    stepsPerPoint: Math.max(1, told[i]?.steps_per_point ?? 1),
  }));
}

const BOUND = /[/._]/;

// Drops the common prefix of the names except its last part; with `ends`, also the common suffix.
export function shortNames(names: readonly string[], ends = false): string[] {
  const first = names[0];
  if (names.length < 2 || first === undefined) return [...names];
  const shortest = names.reduce((least, name) => Math.min(least, name.length), Infinity);
  let head = 0;
  while (head < shortest && names.every((name) => name[head] === first[head])) ++head;
  while (head > 0 && !BOUND.test(first[head - 1] ?? '')) --head;
  let tail = 0;
  while (
    ends &&
    tail < shortest - head &&
    names.every((name) => name[name.length - 1 - tail] === first[first.length - 1 - tail])
  )
    ++tail;
  while (tail > 0 && !BOUND.test(first[first.length - tail] ?? '')) --tail;
  // The part before the first difference gives context.
  for (--head; head > 0 && !BOUND.test(first[head - 1] ?? '');) --head;
  const [before, after] = [head > 4 ? head : 0, tail > 2 ? tail : 0];
  return names.map(
    (name) =>
      `${before > 0 ? '…' : ''}${name.slice(before, name.length - after)}${after > 0 ? '…' : ''}`,
  );
}
