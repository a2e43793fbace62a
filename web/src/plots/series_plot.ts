// Series over steps or time, on uPlot: its axes, scales and cursor. We draw the series, because
// each has its own x and shows the minimum and maximum of what a pixel covers.
//
//   const plot = new SeriesPlot(into, { label: 'Loss', range, onRange: (range, settled) => ... });
//   plot.setData([{ name: 'loss', x, low, high }]);
//
// The label is shown above the plot and is its name for screen readers. A gesture (see gestures.ts)
// changes the range immediately and then calls onRange; setOptions({range}) does not. Data may
// extend beyond the range: it is drawn while the reader moves, before newer data arrives.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './plots.css';
import { html } from '../base/dom';
import { Paced } from '../base/paced';
import { cursorText, type Range, xText } from './axes';
import { raster } from './column_raster';
import { RangeGestures } from './gestures';
import { onThemeChange, palette } from './palette';
import { drawMarks, drawNans, drawShade, drawThresholds } from './plot_decor';
import { MarkFlags, type PlotMark } from './plot_marks';
import type { PlotOptions } from './plot_options';
import { pictureOf } from './plot_picture';
import { PlotTip } from './plot_tip';
import { chartOptions, projection } from './plot_scales';
import { drawSeries } from './series_paths';
import { SeriesLegend } from './series_legend';
import { nextX, type PlotSeries } from './series_points';
import { seriesTable } from './series_table';
import { tipRows } from './tip_rows';
import { iconButton, nameTool } from './tool_icons';
import { yRange } from './y_range';

export type { PlotMark, PlotOptions, PlotSeries };

const HEIGHT = 200;
const LATER = 200; // Milliseconds until an invisible plot is drawn.
// From this many series (the number of colors) bands are left out and the legend updates less
// often.
const BUSY = 8;
const LEGEND_MS = 120;
const MOST_SAID = 8; // Values of series at the cursor.
const HELP =
  'Plus and minus zoom in and out, arrow keys move, comma and period tell the values of the previous and next point, Escape shows everything.';
const WORDS = ['label', 'bare', 'height'] as const; // Options that affect text on the page.
let plots = 0;

// Unchanged text must not trigger a layout.
function write(element: HTMLElement, words: string): void {
  if (element.textContent !== words) element.textContent = words;
}

export class SeriesPlot {
  private readonly root = html('figure', { class: 'plot-figure' });
  private readonly caption = html('figcaption', { class: 'plot-head' });
  private readonly title = html('span', { class: 'plot-title' });
  private readonly box: HTMLElement;
  private readonly empty = html('div', { class: 'plot-empty' });
  private readonly line = html('div', { class: 'plot-line', hidden: '' });
  private readonly status = html('div', { class: 'plot-unseen', 'aria-live': 'polite' });
  private readonly at = html('div', { class: 'plot-at' });
  private readonly legend = new SeriesLegend(() => this.chooseHidden());
  private readonly legendSoon = new Paced(() => this.tellLegend(), LEGEND_MS);
  private readonly flags = new MarkFlags();
  private readonly tip: PlotTip | null;
  private readonly showAll = html(
    'button',
    { type: 'button', class: 'plot-tool', hidden: '' },
    'Show all',
  );
  private readonly tableButton: HTMLButtonElement;
  private readonly stopTheme: () => void;
  private readonly resized: ResizeObserver;
  private readonly watched: IntersectionObserver;
  private chart: uPlot | null = null;
  private gestures: RangeGestures | null = null;
  private table: HTMLElement | null = null;
  private series: PlotSeries[] = [];
  private pointer: number | null = null; // Position of our own cursor.
  private pointerDown: number | null = null; // And how far down it is, of the height.
  private seen: Range = [0, 1]; // The whole extent of x, as far as known.
  private frame = 0;
  private following = 0; // The frame in which the cursor is drawn.
  private visible = true; // Invisible plots are drawn when nothing moves.
  private late = 0;
  private given = false; // Data has arrived, or an empty answer.

  constructor(
    into: HTMLElement,
    private options: PlotOptions,
  ) {
    const help = `plot-help-${++plots}`;
    this.box = html('div', {
      class: 'plot-box',
      tabindex: 0,
      role: 'group',
      'aria-roledescription': 'chart',
      'aria-describedby': help,
    });
    const { lead, tools, hidden = [] } = options;
    this.legend.hide(hidden);
    this.tip = options.tip ? new PlotTip() : null;
    this.root.classList.toggle('plot-tipped', this.tip !== null);
    // Among other pictures it is one, too.
    this.tableButton = tools
      ? iconButton('table', '')
      : html('button', { type: 'button', class: 'plot-tool' });
    this.nameTable();
    this.caption.append(
      ...(lead ? [lead] : []),
      this.title,
      this.at,
      html('span', { class: 'plot-tools' }, this.showAll, this.tableButton, ...(tools ?? [])),
    );
    this.root.append(
      this.caption,
      this.box,
      this.legend.element,
      this.status,
      html('div', { class: 'plot-unseen', id: help }, HELP),
    );
    into.append(this.root);
    this.showAll.addEventListener('click', () => this.choose(null, true));
    this.box.addEventListener('blur', () => this.moveCursor(null, null));
    this.tableButton.addEventListener('click', () => this.toggleTable());
    this.stopTheme = onThemeChange(() => this.build());
    this.resized = new ResizeObserver(() => this.fit());
    this.words();
    this.build();
    this.resized.observe(this.box);
    this.watched = new IntersectionObserver((changes) => this.seenOrNot(changes), {
      rootMargin: '100px',
    });
    this.watched.observe(this.box);
  }

  setData(series: PlotSeries[]): void {
    this.series = series;
    this.given = true;
    this.learnExtent();
    this.legend.setSeries(series);
    this.redraw();
  }

  setOptions(change: Partial<PlotOptions>): void {
    const rebuild =
      ('log' in change && change.log !== this.options.log) ||
      ('height' in change && change.height !== this.options.height);
    this.options = { ...this.options, ...change };
    if (WORDS.some((name) => name in change)) this.words();
    if ('range' in change || 'extent' in change) this.learnExtent();
    if (change.hidden) this.legend.hide(change.hidden);
    if (rebuild) this.build();
    else if (Object.keys(change).every((name) => name === 'cursor')) this.followSoon();
    else this.redraw();
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    cancelAnimationFrame(this.following);
    clearTimeout(this.late);
    this.legendSoon.stop();
    this.stopTheme();
    this.resized.disconnect();
    this.watched.disconnect();
    this.gestures?.destroy();
    this.chart?.destroy();
    this.chart = null;
    this.root.remove();
  }

  // What is being shown.
  get window(): Range {
    return this.options.range ?? this.all;
  }

  // What is being shown, as SVG.
  picture(): string {
    const { clientWidth, clientHeight } = this.box;
    return pictureOf({
      series: this.shown,
      window: this.window,
      y: yRange(this.shown, this.window, this.options),
      options: this.options,
      colours: palette(),
      width: Math.max(400, clientWidth),
      height: Math.max(160, clientHeight - 32),
    });
  }

  // Names of series that the reader has hidden.
  get hidden(): ReadonlySet<string> {
    return this.legend.hidden;
  }

  private get all(): Range {
    return this.options.extent ?? this.seen;
  }

  private get shown(): PlotSeries[] {
    return this.series.filter(({ name }) => !this.legend.hidden.has(name));
  }

  private learnExtent(): void {
    let [from, to] = [Infinity, -Infinity];
    for (const { x } of this.series) {
      if (x.length === 0) continue;
      from = Math.min(from, x[0] as number);
      to = Math.max(to, x[x.length - 1] as number);
    }
    if (!Number.isFinite(to - from)) return;
    // While a part is shown the data covers that part: the extent can only have grown.
    if (this.options.range) this.seen = [Math.min(from, this.seen[0]), Math.max(to, this.seen[1])];
    else this.seen = to > from ? [from, to] : [from - 0.5, to + 0.5];
  }

  private words(): void {
    this.title.textContent = this.options.label;
    this.root.setAttribute('aria-label', this.options.label); // Not all words of its head.
    this.box.setAttribute('aria-label', this.options.label);
    this.caption.hidden = this.options.bare ?? false;
    this.box.style.minHeight = `${this.options.height ?? HEIGHT}px`;
  }

  private build(): void {
    this.gestures?.destroy();
    this.chart?.destroy();
    const width = Math.max(120, this.box.clientWidth || 320);
    const options = chartOptions(width, this.options.height ?? HEIGHT, () => this.options, {
      drawClear: [
        (u) => drawShade(u, projection(u, this.options.log ?? false), this.options.shade),
      ],
      draw: [(u) => this.draw(u)],
    });
    this.chart = new uPlot(
      options,
      [
        [0, 1],
        [null, null],
      ],
      this.box,
    );
    this.chart.root.setAttribute('aria-hidden', 'true');
    this.chart.over.append(this.line, this.empty, ...(this.tip ? [this.tip.element] : []));
    this.chart.over.addEventListener('pointermove', (event) => this.point(event));
    this.chart.over.addEventListener('pointerleave', () => this.point(null));
    this.box.append(this.flags.element);
    this.gestures = new RangeGestures(this.chart.over, this.box, {
      range: () => this.window,
      extent: () => this.all,
      area: () => this.chart?.over.getBoundingClientRect() ?? { left: 0, width: 1 },
      change: (range, settled) => this.choose(range, settled),
      key: (event) => this.key(event),
    });
    this.redraw();
  }

  private seenOrNot(changes: IntersectionObserverEntry[]): void {
    const before = this.visible;
    this.visible = changes[changes.length - 1]?.isIntersecting ?? true;
    if (this.visible && !before) this.redraw();
  }

  private fit(): void {
    const width = Math.floor(this.box.clientWidth);
    if (!this.chart || width < 60 || Math.abs(width - this.chart.width) < 1) return;
    this.chart.setSize({ width, height: this.options.height ?? HEIGHT });
  }

  private choose(range: Range | null, settled: boolean): void {
    this.options.range = range;
    this.redraw();
    if (settled && this.box.matches(':focus')) this.sayRange();
    this.options.onRange?.(range, settled);
  }

  private sayRange(): void {
    const time = this.options.time ?? false;
    const [from, to] = this.window;
    this.status.textContent = this.options.range
      ? `From ${xText(from, time)} to ${xText(to, time)}`
      : 'Showing everything';
  }

  private chooseHidden(): void {
    this.redraw();
    this.options.onHidden?.([...this.legend.hidden]);
  }

  // The width of the series area.
  get pixels(): number {
    return this.chart ? Math.round(this.chart.bbox.width / uPlot.pxRatio) : 0;
  }

  private redraw(): void {
    clearTimeout(this.late);
    if (!this.visible) this.late = window.setTimeout(() => this.drawNow(), LATER);
    else if (!this.frame) this.frame = requestAnimationFrame(() => this.drawNow());
  }

  private drawNow(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const chart = this.chart;
    if (!chart) return;
    const [from, to] = this.window;
    const [low, high] = yRange(this.shown, this.window, this.options);
    chart.batch(() => {
      chart.setScale('x', { min: from, max: to > from ? to : from + 1 });
      chart.setScale('y', { min: low, max: high });
      // Also if the scales are unchanged: data, marks or colors may not be.
      chart.redraw(false, true);
    });
    this.showAll.hidden = !this.options.range;
    this.empty.hidden = this.series.some(({ x }) => x.length > 0);
    write(this.empty, this.options.waiting || !this.given ? 'Loading …' : 'No data');
    if (this.table) this.fillTable();
    this.follow();
  }

  private draw(u: uPlot): void {
    const { ctx, bbox } = u;
    const log = this.options.log ?? false;
    const at = projection(u, log);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top - uPlot.pxRatio, bbox.width, bbox.height + 2 * uPlot.pxRatio);
    ctx.clip();
    const colours = palette();
    drawMarks(u, at, this.options.marks ?? []);
    const busy = this.shown.length > BUSY;
    raster.begin(bbox.left, bbox.top - uPlot.pxRatio, bbox.width, bbox.height + 2 * uPlot.pxRatio);
    // The first series is on top.
    this.series
      .map((series, i) => ({ series, i }))
      .reverse()
      .forEach(({ series, i }) => {
        if (this.legend.hidden.has(series.name)) return;
        const colour = colours.series[(series.colour ?? i) % 8] ?? colours.text;
        drawSeries(ctx, series, i, colour, this.window, at, {
          log,
          ratio: uPlot.pxRatio,
          busy: busy && i > 0,
        });
      });
    raster.flush(ctx);
    this.shown.forEach((series) => {
      const i = this.series.indexOf(series);
      const colour = colours.series[(series.colour ?? i) % 8] ?? colours.text;
      drawNans(u, at, series, this.window, colour);
    });
    drawThresholds(u, at, this.options.thresholds ?? []);
    ctx.restore();
    // Uses transforms and known sizes: nothing here triggers a layout.
    this.flags.element.style.transform = `translate(${bbox.left / uPlot.pxRatio}px, ${bbox.top / uPlot.pxRatio}px)`;
    const place = (x: number): number => (at.x(x) - bbox.left) / uPlot.pxRatio;
    this.flags.show(this.options.marks ?? [], place, bbox.width / uPlot.pxRatio);
  }

  private point(event: PointerEvent | null): void {
    const area = this.chart?.over.getBoundingClientRect();
    const [from, to] = this.window;
    const x =
      event && area
        ? from + ((event.clientX - area.left) / Math.max(1, area.width)) * (to - from)
        : null;
    const y = event && area ? (event.clientY - area.top) / Math.max(1, area.height) : null;
    this.moveCursor(x, y);
  }

  private moveCursor(x: number | null, y: number | null): void {
    if (x === this.pointer && y === this.pointerDown) return;
    this.pointer = x;
    this.pointerDown = y;
    this.followSoon();
    this.options.onCursor?.(x);
  }

  private key({ key }: KeyboardEvent): boolean {
    const by = key === '.' ? 1 : key === ',' ? -1 : null;
    if (by === null) return false;
    const x = nextX(this.shown, this.pointer, by, this.window);
    if (x === null) return true;
    this.bringIntoView(x);
    this.moveCursor(x, null);
    this.status.textContent = this.pointWords(x);
    return true;
  }

  private bringIntoView(x: number): void {
    const [from, to] = this.window;
    const by = x < from ? x - from : x > to ? x - to : 0;
    if (by !== 0) this.choose([from + by, to + by], true);
  }

  private pointWords(x: number): string {
    const { time = false, fractions = false, unit = '', xLabel = '' } = this.options;
    const { rows, more } = tipRows(this.shown, x, null, unit, MOST_SAID);
    const values = rows.map(({ name, words }) => `${name} ${words}`);
    if (more > 0) values.push(`and ${more} more`);
    return `${xLabel} ${cursorText(x, time, fractions)}: ${values.join(', ')}`.trim();
  }

  // In the next frame: pointer events are more frequent than frames.
  private followSoon(): void {
    if (!this.visible || this.frame || this.following) return;
    this.following = requestAnimationFrame(() => this.follow());
  }

  // Shows the cursor, ours or another plot's.
  private follow(): void {
    cancelAnimationFrame(this.following);
    this.following = 0;
    const x = this.pointer ?? this.options.cursor ?? null;
    const [from, to] = this.window;
    const part = x === null ? -1 : (x - from) / (to - from);
    this.line.hidden = !(part >= 0 && part <= 1);
    this.line.style.transform = `translateX(${part * this.pixels}px)`;
    if (x === null || this.line.hidden) this.tip?.hide();
    else this.showTip(x, part);
    this.tell();
  }

  private showTip(x: number, part: number): void {
    if (!this.tip) return;
    const { time = false, fractions = false, unit = '', xLabel = '', log = false } = this.options;
    const { min = 0, max = 1 } = this.chart?.scales['y'] ?? {};
    const at = log ? null : this.pointerDown;
    const y = at === null ? null : max - at * (max - min);
    const words = `${xLabel} ${cursorText(x, time, fractions)}`.trim();
    const width = this.pixels;
    this.tip.show(this.shown, { x, y, words, left: part * width, width }, unit);
  }

  private tell(): void {
    const at = this.pointer ?? this.options.cursor ?? null;
    const { time = false, fractions = false } = this.options;
    write(this.at, at === null ? '' : cursorText(at, time, fractions));
    // Dozens of values per frame can neither be read nor laid out in time.
    if (this.series.length > BUSY) this.legendSoon.tell();
    else this.tellLegend();
  }

  private tellLegend(): void {
    this.legend.tell(
      this.series,
      this.pointer ?? this.options.cursor ?? null,
      this.options.unit ?? '',
    );
  }

  private toggleTable(): void {
    if (this.table) {
      this.table.remove();
      this.table = null;
    } else {
      this.fillTable();
    }
    this.nameTable();
  }

  private nameTable(): void {
    const words = this.table ? 'Hide table' : 'Show table';
    this.tableButton.setAttribute('aria-expanded', String(this.table !== null));
    if (this.options.tools) nameTool(this.tableButton, words);
    else this.tableButton.textContent = words;
  }

  private fillTable(): void {
    const { label, unit = '', time = false, xLabel = '' } = this.options;
    const made = seriesTable(label, this.shown, this.window, { unit, time, xLabel });
    if (this.table) this.table.replaceWith(made);
    else this.root.append(made);
    this.table = made;
  }
}
