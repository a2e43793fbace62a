// What runs have under names: hyperparameters, tags and scalars. A field is one of them; its id is in
// URLs and is the id of its column.

import type { JsonNumber, RunColumns, RunSummary, ScalarSummary } from '../../api/types';
import { bestTitle, readBest } from './best_step';

export interface ListedRun extends RunSummary {
  scalars: Record<string, ScalarSummary>;
  at: Record<string, Record<string, JsonNumber>>; // By reference of best_step.ts, then scalar.
}

// A hyperparameter, a tag with a value, or something of a scalar; at: its value where another scalar
// is best, with a name as of best_step.ts.
export const ASPECTS = ['last', 'min', 'max', 'minstep', 'maxstep'] as const;
export type Aspect = (typeof ASPECTS)[number];
export type FieldKind = 'param' | 'tag' | 'at' | Aspect;

export interface Field {
  kind: FieldKind;
  name: string;
}

export const ASPECT_WORDS: Record<Aspect, string> = {
  last: 'last',
  min: 'min',
  max: 'max',
  minstep: 'step of min',
  maxstep: 'step of max',
};
const PLACES: Record<Aspect, number> = { last: 0, min: 1, max: 2, minstep: 4, maxstep: 5 };

// Set by the SageMaker SDK, not by the user.
export const OWN_PARAMETERS = /^sagemaker_/;

export const isAspect = (kind: string): kind is Aspect => ASPECTS.some((one) => one === kind);

export const isScalar = (kind: string): kind is Aspect | 'at' => kind === 'at' || isAspect(kind);

export const fieldId = ({ kind, name }: Field): string => `${kind}:${encodeURIComponent(name)}`;

// Null: the id of something else.
export function fieldOf(id: string): Field | null {
  const colon = id.indexOf(':');
  const kind = id.slice(0, colon);
  if (colon < 0 || (kind !== 'param' && kind !== 'tag' && !isScalar(kind))) return null;
  try {
    const name = decodeURIComponent(id.slice(colon + 1));
    return name === '' || (kind === 'at' && !readBest(name)) ? null : { kind, name };
  } catch {
    return null; // A URL that somebody edited.
  }
}

export function fieldTitle({ kind, name }: Field): string {
  if (kind === 'at') return bestTitle(name);
  return isAspect(kind) ? `${name} (${ASPECT_WORDS[kind]})` : name;
}

// Text that reads as a number is one: '1e-3' and '0.001' are the same.
export function readValue(text: string): number | string {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? text : value;
}

const own = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

function bestOf(run: ListedRun, name: string): JsonNumber | undefined {
  const best = readBest(name);
  const values = best ? own(run.at, best.reference) : undefined;
  return best && values ? own(values, best.scalar) : undefined;
}

// Null: the run has none. A scalar may be NaN or infinite.
export function valueOf(run: ListedRun, { kind, name }: Field): number | string | null {
  if (isScalar(kind)) {
    const value = kind === 'at' ? bestOf(run, name) : own(run.scalars, name)?.[PLACES[kind]];
    return value === undefined || value === null ? null : Number(value);
  }
  const text = own(kind === 'tag' ? run.tags : run.hyper_parameters, name);
  return text === undefined ? null : readValue(text);
}

// columns: as far as they are known.
export const listedRun = (run: RunSummary, columns?: RunColumns): ListedRun => ({
  ...run,
  hyper_parameters: columns?.hyper_parameters ?? run.hyper_parameters,
  scalars: columns?.scalars ?? {},
  at: columns?.at ?? {},
});

export interface Catalogue {
  params: string[];
  tags: string[]; // Names of tags with values.
  scalars: string[];
  numeric: ReadonlySet<string>; // Ids of hyperparameters and tags that are numbers in all runs.
}

const byName = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

// Everything that any of the runs has.
export function catalogueOf(runs: readonly ListedRun[]): Catalogue {
  const [params, tags] = [new Map<string, boolean>(), new Map<string, boolean>()];
  const scalars = new Set<string>();
  const add = (to: Map<string, boolean>, from: Record<string, string>): void => {
    for (const [name, text] of Object.entries(from))
      to.set(name, (to.get(name) ?? true) && typeof readValue(text) === 'number');
  };
  for (const run of runs) {
    add(params, run.hyper_parameters);
    add(tags, run.tags);
    for (const name of Object.keys(run.scalars)) scalars.add(name);
  }
  const numeric = (kind: FieldKind, of: Map<string, boolean>): string[] =>
    [...of].filter(([, all]) => all).map(([name]) => fieldId({ kind, name }));
  return {
    params: [...params.keys()].filter((name) => !OWN_PARAMETERS.test(name)).sort(byName),
    tags: [...tags.keys()].sort(byName),
    scalars: [...scalars].sort(byName),
    numeric: new Set([...numeric('param', params), ...numeric('tag', tags)]),
  };
}
