// What is shown, as in the URL.

import { rangeParam } from '../common/params';
import { writeRange } from '../common/series';

export interface State {
  readonly of: string; // A measure; '': the first.
  readonly range: [number, number] | null;
}

export const readState = (params: URLSearchParams): State => ({
  of: params.get('of') ?? '',
  range: rangeParam(params.get('from'), params.get('to')),
});

export function writeState({ of, range }: State): URLSearchParams {
  const params = new URLSearchParams();
  if (of) params.set('of', of);
  writeRange(params, range);
  return params;
}
