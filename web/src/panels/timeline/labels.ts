// Labels in slices: shortened to fit, at the left edge of the visible part.

import { ROW_HEIGHT } from './lanes';
import type { Names } from './names';
import type { Screen, Word } from './painter';

const FONT =
  "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif";
const INSIDE = 5;

export const fontAt = (ratio: number): string =>
  FONT.replace('11px', `${Math.round(11 * ratio)}px`);

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
    const needed = names.width(name, context);
    let text = names.text(name);
    if (needed > room) {
      const letters = Math.floor((Math.min(text.length, 200) * room) / needed) - 1;
      if (letters < 2) continue;
      text = `${text.slice(0, letters)}…`;
    } else if (text.length > 200) {
      text = text.slice(0, 200);
    }
    context.fillText(text, x + inside, (y - screen.scroll + ROW_HEIGHT / 2) * screen.ratio);
  }
}
