// Which columns are shown, and in which order, as in the URL: 'columns=status,param:lr,last:loss'.

import { COLUMNS, columnOf } from './columns';
import { fieldOf } from './fields';

export const DEFAULT_COLUMNS: readonly string[] = COLUMNS.filter(({ fixed }) => !fixed).map(
  ({ id }) => id,
);
const NONE = 'none';
const MOST = 60;

// The name is not in it: it is always there, first. Unknown columns are left out.
export function readColumns(params: URLSearchParams): string[] {
  const text = params.get('columns');
  if (text === null || text === '') return [...DEFAULT_COLUMNS];
  const ids = text.split(',').filter((id) => columnOf(id) !== null && !columnOf(id)?.fixed);
  return [...new Set(ids)].slice(0, MOST);
}

export function writeColumns(params: URLSearchParams, ids: readonly string[]): void {
  if (ids.join() === DEFAULT_COLUMNS.join()) params.delete('columns');
  else params.set('columns', ids.join(',') || NONE);
}

// The same with one of them at another place; places beyond the ends are the ends.
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((one) => one !== id);
  if (rest.length === ids.length) return [...ids];
  const place = Math.max(0, Math.min(rest.length, to));
  return [...rest.slice(0, place), id, ...rest.slice(place)];
}

export const movedBy = (ids: readonly string[], id: string, by: number): string[] =>
  moved(ids, id, ids.indexOf(id) + by);

// With one more. Hyperparameters and scalars stand before the columns that list all of them.
export function added(ids: readonly string[], id: string): string[] {
  let place = ids.length;
  const wide = (one: string | undefined): boolean => one === 'tags' || one === 'parameters';
  while (fieldOf(id) && wide(ids[place - 1])) place -= 1;
  return [...ids.slice(0, place), id, ...ids.slice(place)];
}
