// What the button for live updates says: it must not look live while nothing arrives.

import type { LiveState } from '../../api/live';

export interface LiveWords {
  words: string;
  pressed: boolean;
  title: string;
}

export function liveWords(paused: boolean, state: LiveState): LiveWords {
  if (paused) return { words: 'Paused', pressed: false, title: 'Update this page live' };
  if (state === 'reconnecting' || state === 'offline') {
    const title =
      'No connection to the server: this page shows the last data. Trying to reconnect.';
    return { words: 'Not live', pressed: false, title };
  }
  return { words: 'Live', pressed: true, title: 'Update this page live, or pause it' };
}
