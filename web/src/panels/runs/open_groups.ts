// The open groups in the URL, by their keys.

const NAME = 'open';

export const readOpen = (params: URLSearchParams): ReadonlySet<string> =>
  new Set(params.getAll(NAME));

export function writeOpen(params: URLSearchParams, key: string, open: boolean): void {
  const others = params.getAll(NAME).filter((one) => one !== key);
  params.delete(NAME);
  for (const one of open ? [...others, key] : others) params.append(NAME, one);
}

// Groups by something else have other keys.
export const closeAll = (params: URLSearchParams): void => params.delete(NAME);
