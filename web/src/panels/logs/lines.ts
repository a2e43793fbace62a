// Where a search matches in a line.

// Splits a line at the matches: odd parts are matches.
export function parts(text: string, search: string): string[] {
  if (search === '') return [text];
  // Not by the places in a lower-case copy: some letters are longer in lower case.
  const plain = search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return text.split(new RegExp(`(${plain})`, 'i'));
}
