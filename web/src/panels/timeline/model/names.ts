// The names of events, each stored once: number, color, text width, and whether a search matches
// it.

import { SHADES } from './palette';
import { type SpanFilter, spanFilter } from './span_filter';

// The same color for step_232 and step_233: a trailing number does not make another kind of event.
function shadeOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name.replace(/\d+$/, ''))
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return ((hash ^ (hash >>> 13)) >>> 0) % SHADES;
}

// Spans of whole training steps, as the hooks, PyTorch's profiler and annotations name them.
const STEP = /^(step\b|step[:_ #-]|profilerstep|train_step|training_step)/i;

export const MEASURED = 200; // Letters of a name that are measured and shown.

export class Names {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  private readonly widths: number[] = [];
  private filter: SpanFilter | null = null;
  // By number.
  readonly shades: number[] = [];
  readonly steps: boolean[] = [];
  readonly found: boolean[] = [];

  numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.texts.length;
    this.numbers.set(text, number);
    this.texts.push(text);
    this.shades.push(shadeOf(text));
    this.steps.push(STEP.test(text));
    this.found.push(this.matches(text));
    return number;
  }

  text(number: number): string {
    return this.texts[number] ?? '';
  }

  get searching(): boolean {
    return this.filter !== null;
  }

  // What else must hold for an event, besides its name.
  get wanted(): SpanFilter | null {
    return this.filter;
  }

  search(words: string): void {
    this.filter = words === '' ? null : spanFilter(words);
    this.texts.forEach((text, i) => (this.found[i] = this.matches(text)));
  }

  // In the font of `context`; call `forget` when the font changes.
  width(number: number, context: CanvasRenderingContext2D): number {
    return (this.widths[number] ??= context.measureText(
      this.text(number).slice(0, MEASURED),
    ).width);
  }

  forgetWidths(): void {
    this.widths.length = 0;
  }

  private matches(text: string): boolean {
    return this.filter?.name(text) ?? false;
  }
}
