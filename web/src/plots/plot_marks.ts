// Marks on the x axis: a line each, and a flag on top that can be a link. Overlapping flags become
// one that shows their number.

import { html } from '../base/dom';

export interface PlotMark {
  x: number;
  label: string;
  tone?: 'bad' | 'warning' | 'plain';
  go?: string;
}

const CLOSE = 9; // Pixels.
const LOUDEST = ['bad', 'warning'] as const;

export interface Flag {
  left: number;
  marks: PlotMark[];
}

// From left to right; marks that are close together share a flag.
export function flagsOf(
  marks: readonly PlotMark[],
  place: (x: number) => number,
  width: number,
): Flag[] {
  const flags: Flag[] = [];
  for (const mark of [...marks].sort((a, b) => a.x - b.x)) {
    const left = place(mark.x);
    if (!(left >= -1 && left <= width + 1)) continue;
    const last = flags[flags.length - 1];
    if (last && left - last.left < CLOSE) last.marks.push(mark);
    else flags.push({ left, marks: [mark] });
  }
  return flags;
}

export class MarkFlags {
  readonly element = html('div', { class: 'plot-flags' });
  private drawn = '';

  // place: maps x to pixels from the left of the element; only flags within `width` are shown.
  show(marks: readonly PlotMark[], place: (x: number) => number, width: number): void {
    const flags = flagsOf(marks, place, width);
    const key = flags
      .map(({ left, marks: of }) =>
        [left.toFixed(1), ...of.flatMap(({ label, go }) => [label, go])].join(':'),
      )
      .join('|');
    if (key === this.drawn) return;
    this.drawn = key;
    // Reused elements can be clicked while the plot moves below them.
    while (this.element.children.length > flags.length) this.element.lastElementChild?.remove();
    flags.forEach((flag, i) => {
      const old = this.element.children[i] as HTMLElement | undefined;
      const made = this.flag(flag, old);
      if (!old) this.element.append(made);
      else if (made !== old) old.replaceWith(made);
    });
  }

  private flag({ left, marks }: Flag, old: HTMLElement | undefined): HTMLElement {
    const loud =
      LOUDEST.map((loudest) => marks.find(({ tone }) => tone === loudest)).find(
        (mark) => mark !== undefined,
      ) ?? marks[0];
    if (!loud) return html('span');
    const words = marks.map(({ label }) => label).join('\n');
    const tag = loud.go ? 'a' : 'span';
    const flag = old && old.tagName.toLowerCase() === tag ? old : html(tag, {});
    flag.className = `plot-flag plot-flag-${loud.tone ?? 'plain'}`;
    flag.title = words;
    flag.setAttribute('aria-label', words);
    if (loud.go) (flag as HTMLAnchorElement).href = loud.go;
    else flag.setAttribute('role', 'img');
    flag.style.translate = `${left}px 0`; // Keeps the rotation from the style sheet.
    return flag;
  }
}
