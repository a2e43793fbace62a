// What is shown, as in the URL.

import type { Mode } from '../../api/types';
import { numberParam, rangeParam } from '../common/params';
import { writeRange } from '../common/series';

export interface State {
  readonly collection: string; // '': the default.
  readonly match: string; // A regular expression on names; '': all.
  readonly statistic: string; // '': the default.
  readonly mode: Mode;
  readonly worker: string;
  readonly range: [number, number] | null;
  readonly step: number | null; // Step of the profile; null: the last.
}

const MODES: readonly string[] = ['TRAIN', 'EVAL', 'PREDICT', 'GLOBAL'];

export function readState(params: URLSearchParams): State {
  const mode = params.get('mode') ?? '';
  return {
    collection: params.get('collection') ?? '',
    match: params.get('match') ?? '',
    statistic: params.get('statistic') ?? '',
    mode: MODES.includes(mode) ? (mode as Mode) : 'GLOBAL',
    worker: params.get('worker') ?? '',
    range: rangeParam(params.get('from'), params.get('to')),
    step: numberParam(params.get('step')),
  };
}

export function writeState(state: State): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of ['collection', 'match', 'statistic', 'worker'] as const) {
    if (state[name]) params.set(name, state[name]);
  }
  if (state.mode !== 'GLOBAL') params.set('mode', state.mode);
  writeRange(params, state.range);
  if (state.step !== null) params.set('step', String(state.step));
  return params;
}
