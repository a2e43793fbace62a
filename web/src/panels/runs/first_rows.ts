// The list begins with its newest runs, which come at once; all of thousands of runs take longer.

import type { Query } from '../../api/client';

const FIRST = 200;

// Whether the newest runs are what the list begins with: nothing is searched, sorted, grouped or
// plotted, which needs all runs.
export const showsNewest = (params: URLSearchParams): boolean =>
  [...params.keys()].every((name) => name === 'columns' || name === 'selected');

// Of the first request for the list. Selected runs may be any, and can be compared and edited.
export const firstQuery = (params: URLSearchParams): Query =>
  showsNewest(params) && !params.has('selected') ? { first: FIRST } : {};

// Calls it once what was drawn is on the screen: nothing else takes the time until then. Returns
// what gives that up.
export function whenPainted(then: () => void): () => void {
  let timer = 0;
  const frame = requestAnimationFrame(() => {
    timer = window.setTimeout(then);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
