// Splits requests about many names: the server limits names per request and the URL's length.

const MOST_NAMES = 64;
const MOST_CHARACTERS = 20000; // Requests may have 32 KB of headers.

// As few parts as possible, in the same order. A long name may be a part alone.
export function inParts<T>(all: readonly T[], nameOf: (one: T) => string): T[][] {
  const parts: T[][] = [];
  let characters = 0;
  for (const one of all) {
    const length = encodeURIComponent(nameOf(one)).length;
    const last = parts[parts.length - 1];
    if (last && last.length < MOST_NAMES && characters + length <= MOST_CHARACTERS) {
      last.push(one);
      characters += length;
    } else {
      parts.push([one]);
      characters = length;
    }
  }
  return parts;
}
