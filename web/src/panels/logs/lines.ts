// What log lines mean, and where a search matches.

export type LineTone = 'bad' | 'warning' | '';

export function toneOf(text: string): LineTone {
  if (/\b(?:error|exception|traceback|fatal|critical)\b/i.test(text) || /\b\w+Error\b/.test(text))
    return 'bad';
  return /\bwarn(?:ing)?\b/i.test(text) ? 'warning' : '';
}

// Splits a line at the matches of a search: odd parts are matches.
export function parts(text: string, search: string): string[] {
  if (search === '') return [text];
  // Not by the places in a lower-case copy: some letters are longer in lower case.
  const plain = search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return text.split(new RegExp(`(${plain})`, 'i'));
}
