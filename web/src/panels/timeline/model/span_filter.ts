// The language of the search field, as warden/view/timeline/span_filter.h describes it. The server
// searches and says what is wrong; this only decides what is dimmed.

import type { Track } from '../../../api/types';

export interface SpanFilter {
  name: (name: string) => boolean;
  duration: (us: number) => boolean;
  track: (track: Track) => boolean;
}

export const FILTER_HELP =
  'Press / and type part of an event name, or conditions: name~regex name!~regex dur>5ms thread=11 process=88 host=algo-1 gpu=0';

const CONDITION =
  /(?<![^\s])(name|dur|thread|track|process|host|gpu)(!~|>=|<=|~|=|>|<)(?:"([^"]*)"?|(\S+))/g;
const UNITS: Record<string, number> = { ns: 1e-3, us: 1, µs: 1, ms: 1e3, s: 1e6 };

// Nothing if it is not one: the server refuses the whole search then.
function pattern(text: string): RegExp | null {
  try {
    return new RegExp(text, 'i');
  } catch {
    return null;
  }
}

function microseconds(text: string): number {
  const parts = /^([\d.]+)(ns|us|µs|ms|s)$/.exec(text);
  return parts ? Number(parts[1]) * (UNITS[parts[2] ?? ''] ?? NaN) : NaN;
}

function durationTest(sign: string, us: number): (value: number) => boolean {
  switch (sign) {
    case '>':
      return (value) => value > us;
    case '>=':
      return (value) => value >= us;
    case '<':
      return (value) => value < us;
    default:
      return (value) => value <= us;
  }
}

// A number is the whole last number of the name: 1 is not in "thread 11".
function isIn(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (!/^\d+$/.test(value)) return lower.includes(value);
  return /\d*$/.exec(lower)?.[0] === value;
}

function trackTest(key: string, value: string): (track: Track) => boolean {
  switch (key) {
    case 'process':
      return ({ process }) => isIn(process, value);
    case 'host':
      return ({ host }) => host.toLowerCase() === value;
    case 'gpu':
      return ({ device, process }) =>
        device === 'GPU' && process.startsWith('GPU') && isIn(process.split(',')[0] ?? '', value);
    default:
      return ({ name }) => isIn(name, value);
  }
}

export function spanFilter(text: string): SpanFilter {
  const names: ((name: string) => boolean)[] = [];
  const durations: ((us: number) => boolean)[] = [];
  const tracks: ((track: Track) => boolean)[] = [];
  const rest = text.replace(
    CONDITION,
    (_, key: string, sign: string, quoted: string | undefined, plain: string | undefined) => {
      const value = quoted ?? plain ?? '';
      if (key === 'dur') {
        durations.push(durationTest(sign, microseconds(value)));
      } else if (key === 'name') {
        const found = sign === '=' ? null : pattern(value);
        if (sign === '=') names.push((name) => name === value);
        else names.push((name) => (found?.test(name) ?? true) === (sign === '~'));
      } else {
        tracks.push(trackTest(key, value.toLowerCase()));
      }
      return '';
    },
  );
  const words = rest.trim().replace(/\s+/g, ' ').toLowerCase();
  if (words !== '') names.push((name) => name.toLowerCase().includes(words));
  return {
    name: (name) => names.every((test) => test(name)),
    duration: (us) => durations.every((test) => test(us)),
    track: (track) => tracks.every((test) => test(track)),
  };
}
