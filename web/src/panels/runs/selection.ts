// The selected runs in the URL, so that the way back from a comparison leads to them.

const NAME = 'selected';
const MOST = 200; // More would make the URL too long.

// In the order in which they were selected: the first is the one that others are compared with.
export const readSelection = (params: URLSearchParams): string[] => [
  ...new Set(params.getAll(NAME).filter((run) => run !== '')),
];

export function writeSelection(params: URLSearchParams, selected: Iterable<string>): void {
  params.delete(NAME);
  for (const run of [...selected].slice(0, MOST)) params.append(NAME, run);
}
