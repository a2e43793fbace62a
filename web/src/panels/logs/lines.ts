// Makes log lines readable without a terminal.

// Terminal colors and cursor movements mean nothing here.
/* eslint-disable no-control-regex -- control characters are what these expressions look for */
const ESCAPES =
  /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-_]/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
/* eslint-enable no-control-regex */

export function readable(text: string): string {
  const plain = text.replace(ESCAPES, '').replace(/\r+$/, '');
  // A progress bar overwrites itself: keep the last state.
  return plain.slice(plain.lastIndexOf('\r') + 1).replace(CONTROLS, '\ufffd');
}

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
