// The largest slices of a pie, and the rest as one.

export interface GivenSlice {
  label: string;
  value: number;
  others?: number; // Set for the last one if it stands for this many others.
}

export interface TopSlice {
  label: string;
  value: number;
  share: number; // Of all, from 0 to 1.
  rest: boolean; // Stands for the others.
}

// Hues, in three patterns each; gray is for the rest.
export const HUES = 7;
const PATTERNS = ['solid', 'striped', 'dotted'] as const;
export const LOOKS = HUES * PATTERNS.length;
export type Pattern = (typeof PATTERNS)[number];

export interface Look {
  colour: string; // The class of the series color.
  pattern: Pattern;
}

// No two of the first LOOKS slices look the same.
export function lookOf(slice: number): Look {
  return {
    colour: `s${slice % HUES}`,
    pattern: PATTERNS[Math.floor(slice / HUES) % PATTERNS.length] ?? 'solid',
  };
}

export const REST_LOOK: Look = { colour: 's7', pattern: 'solid' };

// What is typed into the field: a whole number of slices that there are, and have different looks.
export function topOf(typed: string, slices: readonly GivenSlice[]): number | null {
  const most = mostSlices(slices);
  const value = Number(typed);
  return typed.trim() !== '' && Number.isInteger(value) && value >= 1
    ? Math.min(value, most)
    : null;
}

export function mostSlices(slices: readonly GivenSlice[]): number {
  return Math.min(LOOKS, slices.filter(({ others }) => others === undefined).length);
}

// The first k; the rest as one, unless it is not wanted. Shares are always of everything.
export function topSlices(slices: readonly GivenSlice[], k: number, withRest: boolean): TopSlice[] {
  const known = slices.map((slice) => ({ ...slice, value: Math.max(0, slice.value) }));
  const sum = known.reduce((all, { value }) => all + value, 0);
  if (!(sum > 0)) return [];
  const share = (value: number): number => value / sum;
  const named = known.filter(({ others }) => others === undefined);
  const top = named.slice(0, Math.min(k, LOOKS));
  const left = [...named.slice(top.length), ...known.filter(({ others }) => others !== undefined)];
  const made = top.map(({ label, value }) => ({ label, value, share: share(value), rest: false }));
  if (!withRest || left.length === 0) return made;
  const value = left.reduce((all, one) => all + one.value, 0);
  const count = left.reduce((all, { others }) => all + (others ?? 1), 0);
  const label = count === 1 ? (left[0]?.label ?? '') : `${count.toLocaleString('en')} others`;
  return [...made, { label, value, share: share(value), rest: true }];
}
