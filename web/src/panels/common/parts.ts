// Questions about many names: the server takes so many at once, and an address only so long.

const MOST_NAMES = 64;
const MOST_CHARACTERS = 20000; // Of 32 KB that a request's head may have.

// In as few parts as are allowed, in the same order; a name alone is a part, however long.
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
