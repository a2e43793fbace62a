// Points on a plane, colored by their labels. The pointer and the arrow keys name a row.

import { html } from '../../base/dom';
import { figure } from '../../base/format';
import { hideTip, showTip } from '../../charts/chart';
import { palette } from '../../plots/palette';
import { cssOf, makeRamp, shadeOf } from '../../plots/ramp';
import { Drawing } from '../common/canvas';
import type { Coloring } from './projector_data';

const EDGE = 16;
const REACH = 14; // Pixels around the pointer in which a point is found.
const SERIES = 8;

export interface Scatter {
  readonly places: ArrayLike<number>; // Two for each row.
  readonly rows: number;
  readonly every: number; // The k-th point is row k · every.
  readonly coloring: Coloring;
  readonly labels: string; // Name of the tensor of labels.
}

export class ProjectorPlot {
  private readonly drawing: Drawing;
  private readonly legend = html('div', { class: 'tensors-projector-legend' });
  private readonly said = html('div', { class: 'unseen', 'aria-live': 'polite' });
  private data: Scatter | null = null;
  private chosen = -1;
  private scale = { left: 0, top: 0, factor: 1, x: 0, y: 0 };

  constructor(box: HTMLElement) {
    const words = 'Rows of the tensor on a plane. Arrow keys move from row to row.';
    this.drawing = new Drawing(box, words, (context, width, height) =>
      this.draw(context, width, height),
    );
    const { canvas } = this.drawing;
    canvas.addEventListener('mousemove', (event) => this.hover(event));
    canvas.addEventListener('mouseleave', () => this.choose(-1));
    canvas.addEventListener('keydown', (event) => this.key(event));
    box.append(this.legend, this.said);
    this.drawing.height = 460;
  }

  set(data: Scatter): void {
    const other = data.coloring !== this.data?.coloring;
    this.data = data;
    if (this.chosen >= data.rows) this.chosen = -1;
    if (other) this.drawLegend();
    this.drawing.redraw();
  }

  destroy(): void {
    hideTip();
    this.drawing.destroy();
    this.legend.remove();
    this.said.remove();
  }

  // The same scale in both directions: distances are what the picture shows.
  private fit(width: number, height: number): void {
    const { places, rows } = this.data ?? { places: [], rows: 0 };
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < rows; ++i) {
      const [x, y] = [places[2 * i] ?? 0, places[2 * i + 1] ?? 0];
      [x0, x1] = [Math.min(x0, x), Math.max(x1, x)];
      [y0, y1] = [Math.min(y0, y), Math.max(y1, y)];
    }
    const factor = Math.min(
      (width - 2 * EDGE) / (x1 - x0 || 1),
      (height - 2 * EDGE) / (y1 - y0 || 1),
    );
    this.scale = { left: width / 2, top: height / 2, factor, x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
  }

  private place(row: number): [number, number] {
    const { left, top, factor, x, y } = this.scale;
    const places = this.data?.places ?? [];
    return [
      left + ((places[2 * row] ?? 0) - x) * factor,
      top - ((places[2 * row + 1] ?? 0) - y) * factor,
    ];
  }

  private colours(): (row: number) => string {
    const { series, accent, quiet, dark } = palette();
    const coloring = this.data?.coloring ?? { kind: 'none' };
    if (coloring.kind === 'none') return () => accent;
    if (coloring.kind === 'classes')
      return (row) => {
        const at = coloring.of[row] ?? -1;
        return at < 0 ? quiet : (series[at % SERIES] ?? accent);
      };
    const ramp = makeRamp('sequential', [coloring.low, coloring.high], dark);
    return (row) => {
      const value = coloring.values[row] ?? NaN;
      return Number.isFinite(value) ? cssOf(shadeOf(ramp, 0.2 + 0.8 * ramp.place(value))) : quiet;
    };
  }

  private draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    if (!this.data) return;
    this.fit(width, height);
    const { rows, coloring } = this.data;
    const colour = this.colours();
    const size = rows > 1500 ? 2.2 : rows > 300 ? 3 : 4.5;
    context.globalAlpha = 0.85;
    for (let row = 0; row < rows; ++row) {
      const [x, y] = this.place(row);
      context.fillStyle = colour(row);
      // From the ninth class on colors repeat: squares instead of discs.
      if (coloring.kind === 'classes' && (coloring.of[row] ?? 0) >= SERIES) {
        context.fillRect(x - size, y - size, 2 * size, 2 * size);
        continue;
      }
      context.beginPath();
      context.arc(x, y, size, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
    if (this.chosen < 0) return;
    const [x, y] = this.place(this.chosen);
    context.strokeStyle = palette().text;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, size + 4, 0, 2 * Math.PI);
    context.stroke();
  }

  private drawLegend(): void {
    const coloring = this.data?.coloring ?? { kind: 'none' };
    if (coloring.kind !== 'classes') {
      const words =
        coloring.kind === 'ramp' ? `${figure(coloring.low)} to ${figure(coloring.high)}` : '';
      this.legend.replaceChildren(words);
      return;
    }
    this.legend.replaceChildren(
      ...coloring.classes.map((name, i) => {
        const mark = html('i', { class: i < SERIES ? '' : 'square', 'aria-hidden': 'true' });
        mark.style.background = `var(--c${i % SERIES})`;
        return html('span', {}, mark, name);
      }),
    );
  }

  private words(row: number): string[] {
    const { every = 1, coloring, labels = '' } = this.data ?? {};
    const lines = [`Row ${(row * every).toLocaleString('en')}`];
    if (coloring?.kind === 'classes')
      lines.push(`${labels}: ${coloring.classes[coloring.of[row] ?? -1] ?? 'none'}`);
    if (coloring?.kind === 'ramp') lines.push(`${labels}: ${figure(coloring.values[row] ?? NaN)}`);
    return lines;
  }

  private hover(event: MouseEvent): void {
    const box = this.drawing.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let [best, found] = [REACH * REACH, -1];
    for (let row = 0; row < (this.data?.rows ?? 0); ++row) {
      const [px, py] = this.place(row);
      const away = (px - x) ** 2 + (py - y) ** 2;
      if (away < best) [best, found] = [away, row];
    }
    this.choose(found);
    if (found >= 0) showTip(event, this.words(found));
  }

  private choose(row: number): void {
    if (row < 0) hideTip();
    if (row === this.chosen) return;
    this.chosen = row;
    this.drawing.redraw();
  }

  private key(event: KeyboardEvent): void {
    const last = (this.data?.rows ?? 0) - 1;
    const to = {
      ArrowLeft: this.chosen - 1,
      ArrowUp: this.chosen - 1,
      ArrowRight: this.chosen + 1,
      ArrowDown: this.chosen + 1,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === 'Escape') this.choose(-1);
    else if (to !== undefined) {
      this.choose(Math.max(0, Math.min(last, to)));
      this.said.textContent = this.words(this.chosen).join(', ');
    } else return;
    event.preventDefault();
  }
}
