// Which of the histograms are shown: those that the reader has chosen, or the first ones.

const AT_FIRST = 4;
const NONE = '-'; // In the URL, if the reader has removed all of them.
const PARAM = 'histogram';

export function readChosen(params: URLSearchParams): string[] | null {
  const given = params.getAll(PARAM);
  return given.length === 0 ? null : given.filter((name) => name !== NONE);
}

export function writeChosen(chosen: readonly string[] | null, params: URLSearchParams): void {
  for (const name of chosen ?? []) params.append(PARAM, name);
  if (chosen?.length === 0) params.append(PARAM, NONE);
}

// In the order in which they were chosen; names that the run does not have are left out.
export function shownNames(all: readonly string[], chosen: readonly string[] | null): string[] {
  if (chosen === null) return all.slice(0, AT_FIRST);
  return [...new Set(chosen)].filter((name) => all.includes(name));
}

// The name that is meant by what was typed: exactly, or without regard to case, or the only one
// that begins like this.
export function nameMeant(typed: string, all: readonly string[]): string | null {
  const words = typed.trim().toLowerCase();
  if (words === '') return null;
  const exact = all.find((name) => name === typed.trim());
  if (exact !== undefined) return exact;
  const same = all.find((name) => name.toLowerCase() === words);
  if (same !== undefined) return same;
  const begin = all.filter((name) => name.toLowerCase().startsWith(words));
  return begin.length === 1 ? (begin[0] ?? null) : null;
}
