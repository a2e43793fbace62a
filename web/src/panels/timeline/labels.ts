// Labels in slices: shortened to fit, at the left edge of the visible part.

import { ROW_HEIGHT } from './lanes';
import { MEASURED, type Names } from './model/names';
import type { Screen, Word } from './painter';

const FONT =
  "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif";
const INSIDE = 5;

export const fontAt = (ratio: number): string =>
  FONT.replace('11px', `${Math.round(11 * ratio)}px`);

// As much of a name as fits; '' if that is too little to read. needed: the width of its first
// MEASURED letters.
export function labelOf(name: string, needed: number, room: number): string {
  if (needed <= room) return name.slice(0, MEASURED);
  const letters = Math.floor((Math.min(name.length, MEASURED) * room) / needed) - 1;
  return letters < 2 ? '' : `${name.slice(0, letters)}…`;
}

export function drawWords(
  context: CanvasRenderingContext2D,
  words: Word[],
  names: Names,
  screen: Screen,
  colour: string,
): void {
  context.font = fontAt(screen.ratio);
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillStyle = colour;
  const inside = INSIDE * screen.ratio;
  for (const { x, width, name, y } of words) {
    const room = width - 2 * inside + 2;
    const text = labelOf(names.text(name), names.width(name, context), room);
    if (text === '') continue;
    context.fillText(text, x + inside, (y - screen.scroll + ROW_HEIGHT / 2) * screen.ratio);
  }
}
