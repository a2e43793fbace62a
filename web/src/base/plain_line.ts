// Makes a line of a terminal readable without one.

// Terminal colors and cursor movements mean nothing here.
/* eslint-disable no-control-regex -- control characters are what these expressions look for */
const ESCAPES =
  /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-_]/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
/* eslint-enable no-control-regex */

export function plainLine(text: string): string {
  const plain = text.replace(ESCAPES, '').replace(/\r+$/, '');
  // A progress bar overwrites itself: keep the last state.
  return plain.slice(plain.lastIndexOf('\r') + 1).replace(CONTROLS, '\ufffd');
}
