// What plots of runs share: two canvases (lines or points, and what changes with the pointer), the
// run under the pointer, and ranges that are dragged along axes.

import { palette } from '../../plots/palette';
import { cssOf, makeRamp, shadeOf } from '../../plots/ramp';
import { html } from '../../base/dom';
import { Drawing } from '../common/canvas';
import { shownName } from '../common/run_names';
import type { ListedRun } from './fields';
import { type Axis, placeOf } from './plot_axis';
import { nextOn, type Places } from './plot_pick';

export interface PlotData {
  axes: readonly Axis[];
  runs: readonly ListedRun[]; // All that are drawn; those that the filter leaves out are faint.
  inside: ReadonlySet<string>; // IDs of those that it does not.
  color: Axis | null;
  ranges: readonly ([number, number] | null)[]; // Places on each axis that the filter keeps.
}

export interface PlotActions {
  open: (run: ListedRun) => void;
  keep: (axis: Axis, from: number, to: number) => void;
  keepAll: (axis: Axis) => void;
  announce: (words: string) => void;
}

export interface Pixel {
  x: number;
  y: number;
}

const SHADES = 16; // Colors: lines of one color are drawn together.
const CLICK = 4; // Pixels: less is no drag.

export abstract class PlotCanvas {
  readonly element = html('div', { class: 'runs-plot' });
  protected data: PlotData = { axes: [], runs: [], inside: new Set(), color: null, ranges: [] };
  protected lines: Places[] = []; // Of the runs that the filter keeps.
  protected kept: ListedRun[] = [];
  protected faint: Places[] = [];
  protected pointed = -1; // In `kept`.
  protected axis = 0; // For the keyboard.
  protected drag: { axis: number; from: number; to: number } | null = null;
  private colors: number[] = [];
  private readonly under: Drawing;
  private readonly over: Drawing;
  private readonly tip = html('div', { class: 'runs-tip card', hidden: '' });

  constructor(
    label: string,
    protected readonly actions: PlotActions,
    protected readonly height: number,
  ) {
    this.under = new Drawing(this.element, '', (on, width) => this.drawUnder(on, width));
    this.under.canvas.removeAttribute('tabindex');
    this.under.canvas.removeAttribute('aria-label');
    this.under.canvas.setAttribute('aria-hidden', 'true');
    this.over = new Drawing(this.element, label, (on, width) => this.drawOver(on, width));
    this.over.canvas.setAttribute('role', 'application');
    this.over.canvas.setAttribute('aria-roledescription', 'plot');
    this.over.canvas.className = 'runs-plot-over';
    this.element.append(this.tip);
    this.listen(this.over.canvas);
  }

  show(data: PlotData): void {
    const before = this.kept[this.pointed]?.id;
    this.data = data;
    const places = (run: ListedRun): Places => data.axes.map((axis) => placeOf(axis, run));
    this.kept = data.runs.filter(({ id }) => data.inside.has(id));
    this.lines = this.kept.map(places);
    this.faint = data.runs.filter(({ id }) => !data.inside.has(id)).map(places);
    const { color } = data;
    this.colors = this.kept.map((run) => {
      const place = color ? placeOf(color, run) : 1;
      return place === null ? -1 : Math.min(SHADES - 1, Math.floor(place * SHADES));
    });
    this.pointed = before === undefined ? -1 : this.kept.findIndex(({ id }) => id === before);
    this.axis = Math.max(0, Math.min(this.axis, data.axes.length - 1));
    this.under.height = this.height;
    this.over.height = this.height;
  }

  close(): void {
    this.under.destroy();
    this.over.destroy();
  }

  protected abstract drawAxes(on: CanvasRenderingContext2D, width: number): void;
  // Strokes or fills runs of one color.
  protected abstract drawRuns(
    on: CanvasRenderingContext2D,
    places: readonly Places[],
    color: string,
    width: number,
  ): void;
  protected abstract drawPointed(on: CanvasRenderingContext2D, places: Places, width: number): void;
  protected abstract rangeBox(axis: number, range: [number, number], width: number): DOMRect;
  protected abstract pick(at: Pixel, width: number): number;
  // The axis under the pointer and the place on it; null: none.
  protected abstract axisAt(at: Pixel, width: number): { axis: number; place: number } | null;
  protected abstract placeOn(axis: number, at: Pixel, width: number): number;
  protected abstract pixelOf(places: Places, width: number): Pixel;

  private drawUnder(on: CanvasRenderingContext2D, width: number): void {
    const colors = palette();
    on.font = `12px ${colors.font}`;
    on.globalAlpha = 0.35;
    this.drawRuns(on, this.faint, colors.line, width);
    on.globalAlpha = this.lines.length > 300 ? 0.5 : 0.85;
    const ramp = makeRamp('sequential', [0, 1], colors.dark);
    // The first third of a ramp is too close to the background for lines.
    const shade = (i: number): string => cssOf(shadeOf(ramp, 0.35 + (0.65 * i) / (SHADES - 1)));
    for (let i = -1; i < SHADES; ++i) {
      const some = this.lines.filter((_, k) => this.colors[k] === i);
      const color = i < 0 ? colors.quiet : this.data.color ? shade(i) : colors.accent;
      if (some.length > 0) this.drawRuns(on, some, color, width);
    }
    on.globalAlpha = 1;
    this.drawAxes(on, width);
  }

  private drawOver(on: CanvasRenderingContext2D, width: number): void {
    const colors = palette();
    const ranges = this.data.ranges.map((range, i) =>
      this.drag?.axis === i ? ([this.drag.from, this.drag.to] as [number, number]) : range,
    );
    ranges.forEach((range, i) => {
      if (!range) return;
      const { x, y, width: wide, height } = this.rangeBox(i, range, width);
      on.fillStyle = colors.accent;
      on.globalAlpha = 0.25;
      on.fillRect(x, y, wide, height);
      on.globalAlpha = 1;
      on.strokeStyle = colors.accent;
      on.strokeRect(x, y, wide, height);
    });
    const places = this.lines[this.pointed];
    if (places) this.drawPointed(on, places, width);
    this.showTip(places, width);
  }

  private showTip(places: Places | undefined, width: number): void {
    const run = this.kept[this.pointed];
    this.tip.hidden = !places || !run;
    if (!places || !run) return;
    const values = this.data.axes.map((axis) => `${axis.title} ${said(axis, run)}`);
    this.tip.replaceChildren(
      html('strong', {}, shownName(run)),
      ...values.map((words) => html('div', {}, words)),
    );
    const { x, y } = this.pixelOf(places, width);
    const right = x > width / 2;
    this.tip.style.left = right ? '' : `${x + 14}px`;
    this.tip.style.right = right ? `${width - x + 14}px` : '';
    this.tip.style.top = `${Math.min(y, this.height / 2)}px`;
  }

  private point(at: number, tell: boolean): void {
    if (at === this.pointed) return;
    this.pointed = at;
    const run = this.kept[at];
    if (tell && run) {
      const values = this.data.axes.map((axis) => `${axis.title} ${said(axis, run)}`);
      this.actions.announce(`${shownName(run)}: ${values.join(', ')}`);
    }
    this.over.canvas.style.cursor = run ? 'pointer' : '';
    this.over.redraw();
  }

  private listen(canvas: HTMLCanvasElement): void {
    const at = ({ offsetX, offsetY }: PointerEvent): Pixel => ({ x: offsetX, y: offsetY });
    const wide = (): number => canvas.clientWidth;
    let start: Pixel | null = null;
    canvas.addEventListener('pointerdown', (event) => {
      const hit = this.axisAt(at(event), wide());
      start = at(event);
      if (!hit) return;
      canvas.setPointerCapture(event.pointerId);
      this.drag = { axis: hit.axis, from: hit.place, to: hit.place };
    });
    canvas.addEventListener('pointermove', (event) => {
      if (this.drag) {
        this.drag.to = this.placeOn(this.drag.axis, at(event), wide());
        this.over.redraw();
      } else {
        this.point(this.pick(at(event), wide()), false);
        if (this.axisAt(at(event), wide())) canvas.style.cursor = 'crosshair';
      }
    });
    canvas.addEventListener('pointerup', (event) => {
      const { drag } = this;
      const moved =
        start !== null && Math.hypot(start.x - event.offsetX, start.y - event.offsetY) > CLICK;
      this.drag = null;
      const axis = drag ? this.data.axes[drag.axis] : undefined;
      if (drag && axis && moved) this.actions.keep(axis, drag.from, drag.to);
      else if (axis) this.actions.keepAll(axis);
      else if (!moved) this.openPointed();
      this.over.redraw();
    });
    canvas.addEventListener('pointercancel', () => (this.drag = null));
    canvas.addEventListener('pointerleave', () => this.point(-1, false));
    canvas.addEventListener('blur', () => this.point(-1, false));
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  private openPointed(): void {
    const run = this.kept[this.pointed];
    if (run) this.actions.open(run);
  }

  private key(event: KeyboardEvent): void {
    const { axes } = this.data;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case 'ArrowUp':
      case 'ArrowDown':
        this.point(
          nextOn(this.lines, this.axis, this.pointed, event.key === 'ArrowUp' ? 1 : -1),
          true,
        );
        break;
      case 'ArrowLeft':
      case 'ArrowRight': {
        const to = this.axis + (event.key === 'ArrowLeft' ? -1 : 1);
        this.axis = Math.max(0, Math.min(axes.length - 1, to));
        this.actions.announce(`Axis ${axes[this.axis]?.title ?? ''}`);
        this.under.redraw();
        break;
      }
      case 'Enter':
        this.openPointed();
        break;
      case 'Escape':
        this.point(-1, false);
        break;
      default:
        return;
    }
    event.preventDefault();
  }
}

function said(axis: Axis, run: ListedRun): string {
  const value = axis.value(run);
  if (value === null) return '–';
  return typeof value === 'number' ? axis.write(value) : value;
}
