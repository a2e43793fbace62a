// The timeline's drawing area: names, minimap, axis, slices and overlay; and when to draw which.

import type { Track } from '../../api/types';
import { html } from '../../base/dom';
import { drawCounters } from './counter_painter';
import type { CounterStore } from './counter_store';
import { drawWords } from './labels';
import { type Lane, type LaneOptions, Lanes } from './lanes';
import type { Counter } from './model/counters';
import { Minimap } from './minimap';
import type { Names } from './model/names';
import { type Overlaid, Overlay } from './overlay';
import { Painter, type Screen } from './painter';
import { onTheme, type Palette, readPalette } from './model/palette';
import type { Mark } from './model/marks';
import { drawRuler, type Tick, tickMarks } from './ruler';
import type { TileStore } from './tile_store';
import type { TimeWindow } from './model/time_window';
import { type NameActions, TrackNames } from './track_names';

const HELP_ID = 'timeline-keys';
const WANT_PAUSE = 80; // Milliseconds between two checks for missing tiles while something moves.

const canvas = (name: string): HTMLCanvasElement =>
  html('canvas', { class: name, 'aria-hidden': 'true' });

export class Stage {
  readonly element: HTMLElement;
  readonly front = html('div', {
    class: 'timeline-stage',
    tabindex: 0,
    role: 'application',
    'aria-label': 'Timeline',
    'aria-describedby': HELP_ID,
  });
  readonly body = html('div', { class: 'timeline-body' });
  readonly corner = html('div', { class: 'timeline-corner' });
  readonly ruler = canvas('timeline-ruler');
  readonly over: Overlaid = {
    selected: null,
    arrows: [],
    all: [],
    path: [],
    hovered: null,
    range: null,
    mark: null,
    pointer: null,
  };
  lanes = new Lanes([], { closed: new Set() });
  marks: Mark[] = [];
  private tracks: Track[] = [];
  private palette: Palette;
  // The slices are drawn on an offscreen canvas and copied below the overlay: one canvas on the
  // page costs the browser half of what two stacked ones do.
  private readonly slices = document.createElement('canvas');
  private readonly shown = canvas('timeline-slices');
  private readonly shownContext = this.shown.getContext('2d', { alpha: false });
  private readonly map = canvas('timeline-map');
  private readonly all = html('div', { class: 'timeline-all' });
  private readonly names_ = html('div', {
    class: 'timeline-names',
    role: 'group',
    'aria-label': 'Tracks',
  });
  private readonly trackNames: TrackNames;
  private readonly painter: Painter;
  private readonly overlay: Overlay | null;
  private readonly minimap: Minimap;
  private readonly endings: (() => void)[] = [];
  private frame = 0;
  private readonly dirty = { slices: true, map: true };
  private wanted = 0;
  private wantTimer = 0;
  private refresh = false;

  constructor(
    private readonly window: TimeWindow,
    private readonly tiles: TileStore,
    private readonly names: Names,
    private readonly counters: CounterStore,
    act: NameActions,
  ) {
    const help = html(
      'p',
      { class: 'unseen', id: HELP_ID },
      'Press w and s to zoom in and out, a and d to move, comma and period to select the previous and next event, f to zoom to the selected event, slash to search, question mark for all keyboard shortcuts. The Visible events tab lists events as a table.',
    );
    this.front.append(this.shown);
    this.all.append(this.names_, this.front);
    this.body.append(this.all);
    this.element = html(
      'div',
      { class: 'timeline-frame' },
      this.corner,
      html('div', { class: 'timeline-heads' }, this.map, this.ruler),
      this.body,
      help,
    );
    this.trackNames = new TrackNames(this.names_, act);
    this.painter = new Painter(tiles, names);
    this.overlay = this.shownContext ? new Overlay(this.shownContext) : null;
    this.minimap = new Minimap(this.map, window);
    this.palette = readPalette(document.documentElement);
    this.endings.push(onTheme(() => this.themed()));
    const sizes = new ResizeObserver(() => this.resized());
    sizes.observe(this.body);
    this.endings.push(() => sizes.disconnect());
    this.body.addEventListener('scroll', () => this.changed(), { passive: true });
  }

  // What is on the screen now.
  get screen(): Screen {
    const ratio = Math.min(2, devicePixelRatio || 1);
    return {
      from: this.window.from,
      to: this.window.to,
      width: this.slices.width,
      height: this.slices.height,
      ratio,
      scroll: this.body.scrollTop,
    };
  }

  setTracks(tracks: Track[], options: LaneOptions): void {
    this.tracks = tracks;
    this.lanes = new Lanes(tracks, options);
    this.lanes.scroll = this.body.scrollTop;
    this.all.style.height = `${this.lanes.height}px`;
    this.refresh = true;
    this.dirty.map = true;
    this.changed();
  }

  arrived(): void {
    this.dirty.map = true;
    this.changed();
  }

  changed(): void {
    this.dirty.slices = true;
    this.overChanged();
  }

  // Redraws only the overlay.
  overChanged(): void {
    this.frame ||= requestAnimationFrame((now) => this.draw(now));
  }

  // Those whose values are drawn.
  get visibleCounters(): Counter[] {
    const { screen } = this;
    return [...this.lanes.pinned, ...this.seen(screen)].flatMap(({ counter }) => counter ?? []);
  }

  reveal(track: number, depth: number): void {
    const place = this.lanes.place(track, depth);
    if (!place) return;
    if (place.lane.pinned) return;
    const top = this.body.scrollTop + this.lanes.pinnedHeight;
    const height = this.body.clientHeight - this.lanes.pinnedHeight;
    if (place.y < top || place.y + place.height > top + height)
      this.body.scrollTop = place.y - this.lanes.pinnedHeight - height / 3;
    this.changed();
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    globalThis.clearTimeout(this.wantTimer);
    this.minimap.close();
    for (const end of this.endings) end();
  }

  private draw(now: number): void {
    this.frame = 0;
    if (this.window.gliding) {
      this.window.advance(now);
      this.changed();
    }
    const { screen } = this;
    this.lanes.scroll = screen.scroll;
    if (screen.width === 0) return;
    if (this.dirty.slices) {
      this.dirty.slices = false;
      this.drawSlices(screen);
      this.want();
    }
    this.shownContext?.drawImage(this.slices, 0, 0);
    this.overlay?.draw(screen, this.lanes, this.over, this.palette);
  }

  private drawSlices(screen: Screen): void {
    const context = this.slices.getContext('2d', { alpha: false });
    const ruler = this.ruler.getContext('2d');
    if (!context || !ruler) return;
    const { palette, lanes } = this;
    const ticks = tickMarks(screen);
    const edge = Math.round(lanes.pinnedHeight * screen.ratio);
    this.drawLanes(context, screen, this.seen(screen), ticks, [edge, screen.height]);
    if (edge > 0) this.drawLanes(context, screen, lanes.pinned, ticks, [0, edge]);
    drawRuler(ruler, { ...screen, height: this.ruler.height }, ticks, this.marks, palette);
    if (this.dirty.map) this.minimap.measure(this.tracks, this.tiles);
    this.dirty.map = false;
    this.minimap.draw(this.marks, palette, screen.ratio);
    this.trackNames.draw(this.lanes, screen.scroll, this.body.clientHeight, this.refresh);
    this.refresh = false;
  }

  // The scrolling lanes that are in sight, also if only `beside` pixels away.
  private seen(screen: Screen, beside = 0): Lane[] {
    const top = screen.scroll + this.lanes.pinnedHeight - beside;
    return this.lanes.between(top, screen.scroll + screen.height / screen.ratio + beside);
  }

  // Between these heights only, in device pixels: pinned lanes hide what scrolls below them.
  private drawLanes(
    context: CanvasRenderingContext2D,
    screen: Screen,
    lanes: Lane[],
    ticks: Tick[],
    [top, bottom]: [number, number],
  ): void {
    const { palette, painter } = this;
    context.save();
    context.beginPath();
    context.rect(0, top, screen.width, bottom - top);
    context.clip();
    context.fillStyle = palette.css.card;
    context.fillRect(0, top, screen.width, bottom - top);
    this.drawGround(context, screen, ticks, lanes);
    painter.paint(context, screen, lanes, palette);
    drawCounters(context, screen, lanes, (counter) => this.counters.of(counter), palette);
    this.drawSteps(context, screen);
    drawWords(context, painter.words, this.names, screen, palette.css.text);
    context.restore();
  }

  // Time lines, and the background of groups.
  private drawGround(
    context: CanvasRenderingContext2D,
    screen: Screen,
    ticks: Tick[],
    lanes: Lane[],
  ): void {
    const { ratio, scroll } = screen;
    const line = Math.max(1, Math.round(ratio));
    context.fillStyle = this.palette.css.line;
    context.globalAlpha = 0.5;
    for (const { x } of ticks) context.fillRect(x, 0, line, screen.height);
    context.globalAlpha = 1;
    for (const lane of lanes) {
      const y = Math.round((lane.y - scroll) * ratio);
      const height = Math.round(lane.height * ratio);
      context.fillStyle = this.palette.css.page;
      if (lane.kind === 'group') context.fillRect(0, y, screen.width, height);
      context.fillStyle = this.palette.css.line;
      context.fillRect(0, y + height - line, screen.width, line);
    }
  }

  private drawSteps(context: CanvasRenderingContext2D, screen: Screen): void {
    const { steps } = this.painter;
    // More would be a pattern, not lines.
    if (steps.length > screen.width / screen.ratio / 24) return;
    context.fillStyle = this.palette.css.accent;
    context.globalAlpha = 0.35;
    for (const x of steps)
      context.fillRect(x, 0, Math.max(1, Math.round(screen.ratio)), screen.height);
    context.globalAlpha = 1;
  }

  // Requests the tiles for the window's destination; while it moves, only now and then.
  private want(): void {
    const now = performance.now();
    globalThis.clearTimeout(this.wantTimer);
    if (now - this.wanted < WANT_PAUSE) {
      this.wantTimer = globalThis.setTimeout(() => this.want(), WANT_PAUSE);
      return;
    }
    this.wanted = now;
    const { screen } = this;
    const [from, to] = this.window.aim;
    const tracks = new Set<number>();
    for (const lane of [...this.lanes.pinned, ...this.seen(screen, 200)]) {
      if (lane.rows > 0) for (const track of lane.tracks) tracks.add(track.id);
    }
    this.tiles.want(from, to, (to - from) / Math.max(1, screen.width), tracks);
  }

  private themed(): void {
    this.palette = readPalette(document.documentElement);
    this.changed();
  }

  private resized(): void {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const height = this.body.clientHeight;
    this.front.style.height = `${height}px`;
    const width = this.front.clientWidth;
    for (const one of [this.slices, this.shown]) {
      one.width = Math.round(width * ratio);
      one.height = Math.round(height * ratio);
    }
    for (const one of [this.map, this.ruler]) {
      one.width = Math.round(one.clientWidth * ratio);
      one.height = Math.round(one.clientHeight * ratio);
    }
    this.names.forgetWidths();
    this.dirty.map = true;
    this.refresh = true;
    this.changed();
  }
}
