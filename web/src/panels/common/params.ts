// Numbers, ranges and lists in URLs, which anyone can edit.

type Range = [number, number];

// Null: absent, or not a finite number.
export function numberParam(text: string | null): number | null {
  if (text === null || text.trim() === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

// Null: absent, invalid or empty.
export function rangeParam(from: string | null, to: string | null): Range | null {
  const [first, last] = [numberParam(from), numberParam(to)];
  return first !== null && last !== null && first < last ? [first, last] : null;
}

export const textsParam = (params: URLSearchParams, name: string): string[] => [
  ...new Set(params.getAll(name).filter(Boolean)),
];

export function writeTexts(params: URLSearchParams, name: string, texts: readonly string[]): void {
  params.delete(name);
  for (const text of texts) params.append(name, text);
}
