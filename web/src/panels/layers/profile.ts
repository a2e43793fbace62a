// The values of all layers at one step, first to last: the line drops where gradients vanish.

import { html } from '../../base/dom';
import { figure } from '../../base/format';
import { hideTip, showTip } from '../../charts/chart';
import { palette } from '../../plots/palette';
import { Drawing } from '../common/canvas';
import { type Axis, profileAxis } from './profile_axis';

const LEFT = 62;
const RIGHT = 12;
const TOP = 10;
const FOOT = 26;

export class Profile {
  private readonly drawing: Drawing;
  private readonly said = html('div', { class: 'unseen', 'aria-live': 'polite' });
  private rows: readonly string[] = [];
  private values: Float32Array = new Float32Array();
  private log = false;
  private chosen = -1;

  constructor(
    box: HTMLElement,
    private readonly onPick: (row: number) => void,
    private readonly onChoose: (row: number) => void,
  ) {
    const label =
      'Value of each layer. Left and right arrows move between layers, Enter opens the tensor.';
    this.drawing = new Drawing(box, label, (context, width, height) =>
      this.draw(context, width, height),
    );
    box.append(this.said);
    const { canvas } = this.drawing;
    canvas.addEventListener('mousemove', (event) => this.hover(event));
    canvas.addEventListener('mouseleave', () => this.choose(-1));
    canvas.addEventListener('click', () => this.chosen >= 0 && this.onPick(this.chosen));
    canvas.addEventListener('keydown', (event) => this.key(event));
    this.drawing.height = 230;
  }

  setData(rows: readonly string[], values: Float32Array, log: boolean): void {
    this.rows = rows;
    this.values = values;
    this.log = log;
    if (this.chosen >= rows.length) this.chosen = -1;
    this.drawing.redraw();
  }

  destroy(): void {
    hideTip();
    this.drawing.destroy();
  }

  private x(row: number, width: number): number {
    return LEFT + ((row + 0.5) / Math.max(1, this.rows.length)) * (width - LEFT - RIGHT);
  }

  private draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const colours = palette();
    const axis = profileAxis(this.values, this.log, TOP, height - FOOT);
    context.font = `12px ${colours.font}`;
    context.lineWidth = 1;
    context.textAlign = 'right';
    for (const mark of axis.marks) {
      const y = Math.round(axis.place(mark)) + 0.5;
      context.strokeStyle = colours.line;
      context.beginPath();
      context.moveTo(LEFT, y);
      context.lineTo(width - RIGHT, y);
      context.stroke();
      context.fillStyle = colours.quiet;
      context.fillText(
        this.log ? mark.toExponential(0).replace('e+', 'e') : figure(mark),
        LEFT - 8,
        y + 4,
      );
    }
    this.drawBars(context, axis, width, height);
    context.fillStyle = colours.quiet;
    context.textAlign = 'left';
    context.fillText('first layer', LEFT, height - 6);
    context.textAlign = 'right';
    context.fillText('last layer', width - RIGHT, height - 6);
  }

  private drawBars(
    context: CanvasRenderingContext2D,
    axis: Axis,
    width: number,
    height: number,
  ): void {
    const colours = palette();
    const ground = this.log ? height - FOOT : axis.place(0);
    const wide = Math.max(
      1,
      Math.min(22, ((width - LEFT - RIGHT) / Math.max(1, this.rows.length)) * 0.72),
    );
    this.values.forEach((value, row) => {
      const x = this.x(row, width);
      const y = axis.place(value);
      if (Number.isNaN(y)) return this.drawOdd(context, value, x, wide, height);
      context.fillStyle =
        row === this.chosen
          ? (colours.series[1] ?? colours.accent)
          : (colours.series[0] ?? colours.accent);
      context.globalAlpha = this.chosen < 0 || row === this.chosen ? 0.9 : 0.55;
      // Values at the bottom also leave a mark, so a dead layer does not look like a missing one.
      const [from, to] =
        Math.abs(y - ground) < 2
          ? [ground - 2, ground]
          : [Math.min(y, ground), Math.max(y, ground)];
      context.fillRect(x - wide / 2, from, wide, to - from);
      context.globalAlpha = 1;
    });
  }

  // NaN or infinite (as Infinity): full height in the warning color. Not measured: a gap.
  private drawOdd(
    context: CanvasRenderingContext2D,
    value: number,
    x: number,
    wide: number,
    height: number,
  ): void {
    if (Number.isNaN(value)) return;
    context.fillStyle = palette().warning;
    context.fillRect(x - wide / 2, TOP, wide, height - TOP - FOOT);
  }

  private words(row: number): string {
    const value = this.values[row] ?? NaN;
    const written = Number.isNaN(value)
      ? 'not measured'
      : Number.isFinite(value)
        ? figure(value)
        : 'NaN or infinite';
    return `${this.rows[row] ?? ''}: ${written}`;
  }

  private hover(event: MouseEvent): void {
    const box = this.drawing.canvas.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / Math.max(1, box.width - LEFT - RIGHT);
    const row = Math.floor(share * this.rows.length);
    const inside = row >= 0 && row < this.rows.length;
    this.choose(inside ? row : -1);
    if (inside) showTip(event, [this.words(row), `layer ${row + 1} of ${this.rows.length}`]);
  }

  private choose(row: number): void {
    if (row < 0) hideTip();
    if (row === this.chosen) return;
    this.chosen = row;
    this.onChoose(row);
    this.drawing.redraw();
  }

  private key(event: KeyboardEvent): void {
    const last = this.rows.length - 1;
    const to = { ArrowLeft: this.chosen - 1, ArrowRight: this.chosen + 1, Home: 0, End: last }[
      event.key
    ];
    if (event.key === 'Enter' && this.chosen >= 0) this.onPick(this.chosen);
    else if (to !== undefined && last >= 0) {
      this.choose(Math.max(0, Math.min(last, to)));
      this.said.textContent = this.words(this.chosen);
    } else return;
    event.preventDefault();
  }
}
