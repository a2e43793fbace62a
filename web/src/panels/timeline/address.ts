// What the URL contains of the timeline, so that a link shows the same view to others.
//
//   from, to  the window, in microseconds since the start     event   the selected one's id
//   range     "from~to": the chosen range                      search  what is searched for
//   closed    a folded group or track; once for each           tab     what is shown below
//   pin       a track that stays at the top; once for each
//   arrows    1: of everything that can be seen                at      a moment in seconds since 1970 to look at
//   by        what the flame graph keeps apart                 whole   1: it is of the whole run
//   step, mode, process   of which the critical path is shown

import { numberParam, rangeParam } from '../common/params';
import type { FlameChoice, StepChoice } from './model/choices';
import type { Range } from './model/time_window';

export interface Place {
  window: Range | null;
  range: Range | null;
  event: number | null;
  search: string;
  closed: Set<string>;
  pinned: Set<string>;
  tab: string;
  arrows: boolean;
  at: number | null;
  flame: FlameChoice;
  step: StepChoice;
}

export function readPlace(params: URLSearchParams): Place {
  const [begin = null, end = null] = (params.get('range') ?? '').split('~');
  const event = numberParam(params.get('event'));
  return {
    window: rangeParam(params.get('from'), params.get('to')),
    range: rangeParam(begin, end),
    event: event !== null && event >= 0 ? event : null,
    search: params.get('search') ?? '',
    closed: new Set(params.getAll('closed')),
    pinned: new Set(params.getAll('pin')),
    tab: params.get('tab') ?? '',
    arrows: params.get('arrows') === '1',
    at: numberParam(params.get('at')),
    flame: { by: params.get('by') ?? 'thread', whole: params.get('whole') === '1' },
    step: {
      step: numberParam(params.get('step')),
      mode: params.get('mode') ?? '',
      process: params.get('process') ?? '',
    },
  };
}

// As few digits as needed to distinguish a thousand pixels.
function rounded([from, to]: Range): [string, string] {
  const decimals = Math.min(6, Math.max(0, Math.ceil(-Math.log10((to - from) / 10000))));
  return [from.toFixed(decimals), to.toFixed(decimals)];
}

export function writePlace(place: Place, all: Range): URLSearchParams {
  const params = new URLSearchParams();
  const { window } = place;
  if (window && (window[0] > all[0] || window[1] < all[1])) {
    const [from, to] = rounded(window);
    params.set('from', from);
    params.set('to', to);
  }
  if (place.range) params.set('range', rounded(place.range).join('~'));
  if (place.event !== null) params.set('event', String(place.event));
  if (place.search) params.set('search', place.search);
  for (const key of place.closed) params.append('closed', key);
  for (const key of place.pinned) params.append('pin', key);
  if (place.tab) params.set('tab', place.tab);
  if (place.arrows) params.set('arrows', '1');
  if (place.at !== null) params.set('at', String(place.at));
  const { flame, step } = place;
  if (flame.by !== 'thread') params.set('by', flame.by);
  if (flame.whole) params.set('whole', '1');
  if (step.step !== null) params.set('step', String(step.step));
  if (step.mode) params.set('mode', step.mode);
  if (step.process) params.set('process', step.process);
  return params;
}
