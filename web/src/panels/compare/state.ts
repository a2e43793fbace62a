// Which runs are compared and how, as in the URL: a, b, c, ... and 'more' are runs.

import type { Mode, RunId } from '../../api/types';
import { type ChartLook, readLook, writeLook } from '../common/chart_look';
import { letter, readRuns, writeRuns } from '../common/compare_address';
import { numberParam, rangeParam, textsParam, writeTexts } from '../common/params';
import { writeRange } from '../common/series';

export { letter };

export type SortKey = 'tensor' | 'a' | 'b' | 'difference' | 'first_step';

export interface State {
  readonly runs: readonly RunId[];
  readonly against: number; // Index of the run that the first is compared with.
  readonly tensor: string; // In the plot; '': the first loss.
  readonly statistic: string; // '': the default of each tensor.
  readonly mode: Mode;
  readonly collection: string; // '': all.
  readonly search: string;
  readonly equal: boolean; // Also facts that do not differ.
  readonly all: boolean; // Also tensors that do not differ.
  readonly sort: SortKey;
  readonly down: boolean;
  readonly look: ChartLook;
  readonly mean: boolean; // Charts show the mean of all runs with a band.
  readonly metrics: string; // Which metrics are in the grid: text or a regular expression.
  readonly range: [number, number] | null; // In units of the x axis.
  readonly full: string; // The chart that fills the window; '': none.
  readonly hidden: readonly RunId[]; // Not drawn in charts.
}

const AXIS = 'axis'; // 'x' may be a run.
const MODES: readonly string[] = ['TRAIN', 'EVAL', 'PREDICT', 'GLOBAL'];
const SORTS: readonly string[] = ['tensor', 'a', 'b', 'difference', 'first_step'];

// base: the run whose panel this is; it comes first and is not in the URL.
export function readState(params: URLSearchParams, base: RunId | null): State {
  const given = readRuns(params);
  if (base !== null) given[0] = base;
  const runs = [...new Set(given.filter(Boolean))];
  const mode = params.get('mode') ?? '';
  const sort = params.get('sort') ?? '';
  return {
    runs,
    against: Math.max(
      1,
      Math.min(runs.length - 1, Math.trunc(numberParam(params.get('against')) ?? 1)),
    ),
    tensor: params.get('tensor') ?? '',
    statistic: params.get('statistic') ?? '',
    mode: MODES.includes(mode) ? (mode as Mode) : 'GLOBAL',
    collection: params.get('collection') ?? '',
    search: params.get('search') ?? '',
    equal: params.get('equal') === '1',
    all: params.get('all') === '1',
    sort: SORTS.includes(sort) ? (sort as SortKey) : 'difference',
    down: params.get('order') !== 'up',
    look: readLook(params, AXIS),
    mean: params.get('mean') === '1',
    metrics: params.get('metrics') ?? '',
    range: rangeParam(params.get('from'), params.get('to')),
    full: params.get('chart') ?? '',
    hidden: textsParam(params, 'hide').filter((run) => runs.includes(run)),
  };
}

export function writeState(state: State, base: RunId | null): URLSearchParams {
  const params = new URLSearchParams();
  writeRuns(params, state.runs, base === null ? 0 : 1);
  if (state.against !== 1) params.set('against', String(state.against));
  for (const name of ['tensor', 'statistic', 'collection', 'search', 'metrics'] as const) {
    if (state[name]) params.set(name, state[name]);
  }
  if (state.mode !== 'GLOBAL') params.set('mode', state.mode);
  if (state.equal) params.set('equal', '1');
  if (state.all) params.set('all', '1');
  if (state.sort !== 'difference') params.set('sort', state.sort);
  if (!state.down) params.set('order', 'up');
  writeLook(state.look, params, AXIS);
  if (state.mean) params.set('mean', '1');
  writeRange(params, state.range);
  if (state.full) params.set('chart', state.full);
  writeTexts(
    params,
    'hide',
    state.hidden.filter((run) => state.runs.includes(run)),
  );
  return params;
}
