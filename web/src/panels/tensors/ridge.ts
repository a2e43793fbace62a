// Histograms over steps as ridges, the newest in front.

import { html } from '../../base/dom';
import { figure } from '../../base/format';
import { hideTip, showTip } from '../../charts/chart';
import { palette } from '../../plots/palette';
import { cssOf, makeRamp, shadeOf } from '../../plots/ramp';
import { Drawing } from '../common/canvas';
import { type Histograms, marksOf, peakOf } from './histograms';

const LEFT = 8;
const RIGHT = 64; // Room for the step numbers.
const FOOT = 30;
const HILL = 90; // Height of the highest ridge.

export class Ridge {
  private readonly drawing: Drawing;
  private readonly said = html('div', { class: 'unseen', 'aria-live': 'polite' });
  private data: Histograms = { steps: [], edges: [], counts: [] };
  private chosen = -1; // The ridge under the pointer or the keyboard cursor.
  private most = 1;

  constructor(
    box: HTMLElement,
    private readonly onPick: (step: number) => void,
  ) {
    this.drawing = new Drawing(box, 'Histograms over steps', (context, width, height) =>
      this.draw(context, width, height),
    );
    box.append(this.said);
    const { canvas } = this.drawing;
    canvas.addEventListener('mousemove', (event) => this.hover(event));
    canvas.addEventListener('mouseleave', () => this.choose(-1));
    canvas.addEventListener('click', () => this.pick());
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  setData(data: Histograms): void {
    this.data = data;
    this.most = 1;
    for (let i = 0; i < data.counts.length; ++i)
      this.most = Math.max(this.most, data.counts[i] ?? 0);
    this.drawing.height = Math.max(240, Math.min(560, data.steps.length * 12 + HILL + FOOT));
  }

  destroy(): void {
    hideTip();
    this.drawing.destroy();
    this.said.remove();
  }

  private get bins(): number {
    return Math.max(0, this.data.edges.length - 1);
  }

  private baseline(row: number, height: number): number {
    const rows = Math.max(1, this.data.steps.length - 1);
    return HILL + (row / rows) * (height - HILL - FOOT);
  }

  private draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const colours = palette();
    const right = width - RIGHT;
    context.font = `12px ${colours.font}`;
    this.drawAxis(context, right, height);
    const ramp = makeRamp('sequential', [-0.6, 1.1], colours.dark);
    const rows = this.data.steps.length;
    const everyLabel = Math.max(1, Math.ceil(rows / ((height - HILL - FOOT) / 18)));
    for (let row = 0; row < rows; ++row) {
      const base = this.baseline(row, height);
      const chosen = row === this.chosen;
      this.path(context, row, base, right);
      context.globalAlpha = this.chosen < 0 || chosen ? 0.92 : 0.45;
      context.fillStyle = chosen
        ? (colours.series[1] ?? colours.accent)
        : cssOf(shadeOf(ramp, ramp.place(row / Math.max(1, rows - 1))));
      context.fill();
      context.globalAlpha = 1;
      context.strokeStyle = colours.card;
      context.lineWidth = 1;
      context.stroke();
      const labelled = this.chosen < 0 ? (rows - 1 - row) % everyLabel === 0 : chosen;
      if (!labelled) continue;
      context.fillStyle = chosen ? colours.text : colours.quiet;
      context.textAlign = 'left';
      context.fillText((this.data.steps[row] ?? 0).toLocaleString('en'), right + 8, base + 4);
    }
  }

  private path(context: CanvasRenderingContext2D, row: number, base: number, right: number): void {
    const { bins } = this;
    const wide = (right - LEFT) / bins;
    context.beginPath();
    context.moveTo(LEFT, base);
    for (let bin = 0; bin < bins; ++bin) {
      const count = this.data.counts[row * bins + bin] ?? 0;
      context.lineTo(LEFT + (bin + 0.5) * wide, base - (count / this.most) * (HILL - 6));
    }
    context.lineTo(right, base);
    context.closePath();
  }

  private drawAxis(context: CanvasRenderingContext2D, right: number, height: number): void {
    const colours = palette();
    for (const { bin, label } of marksOf(this.data.edges, Math.max(2, (right - LEFT) / 90))) {
      const x = LEFT + (bin / Math.max(1, this.bins)) * (right - LEFT);
      context.strokeStyle = colours.line;
      context.beginPath();
      context.moveTo(x, 8);
      context.lineTo(x, height - FOOT + 6);
      context.stroke();
      context.fillStyle = colours.quiet;
      context.textAlign = x < LEFT + 20 ? 'left' : x > right - 20 ? 'right' : 'center';
      context.fillText(label, x, height - 8);
    }
  }

  private hover(event: MouseEvent): void {
    const box = this.drawing.canvas.getBoundingClientRect();
    const y = event.clientY - box.top;
    const rows = this.data.steps.length;
    const share = (y + 12 - HILL) / (box.height - HILL - FOOT);
    const row = Math.max(0, Math.min(rows - 1, Math.round(share * (rows - 1))));
    const bin = Math.floor(
      ((event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * this.bins,
    );
    this.choose(row);
    if (bin >= 0 && bin < this.bins)
      showTip(event, [
        `Step ${(this.data.steps[row] ?? 0).toLocaleString('en')}`,
        this.words(row, bin),
      ]);
    else hideTip();
  }

  private words(row: number, bin: number): string {
    const [low, high] = [this.data.edges[bin] ?? NaN, this.data.edges[bin + 1] ?? NaN];
    const count = this.data.counts[row * this.bins + bin] ?? 0;
    return `${figure(low)} to ${figure(high)}: ${count.toLocaleString('en')} values`;
  }

  private choose(row: number): void {
    if (row < 0) hideTip();
    if (row === this.chosen) return;
    this.chosen = row;
    this.drawing.redraw();
  }

  private pick(): void {
    const step = this.data.steps[this.chosen];
    if (step !== undefined) this.onPick(step);
  }

  private key(event: KeyboardEvent): void {
    const last = this.data.steps.length - 1;
    const to = { ArrowUp: this.chosen - 1, ArrowDown: this.chosen + 1, Home: 0, End: last }[
      event.key
    ];
    if (event.key === 'Enter') this.pick();
    else if (event.key === 'Escape') this.choose(-1);
    else if (to !== undefined) this.say(Math.max(0, Math.min(last, to)));
    else return;
    event.preventDefault();
  }

  private say(row: number): void {
    this.choose(row);
    const peak = this.words(row, peakOf(this.data, row));
    this.said.textContent = `Step ${this.data.steps[row] ?? ''}, peak at ${peak}`;
  }
}
