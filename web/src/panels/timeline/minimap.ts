// The overview above the timeline: how busy each moment is, and which part is shown below. Drag to
// move.

import type { Track } from '../../api/types';
import { type Busy, busyOf } from './busy';
import type { Mark } from './model/marks';
import type { Palette } from './model/palette';
import type { TileStore } from './tile_store';
import type { TimeWindow } from './model/time_window';

export class Minimap {
  private busy: Busy = { cpu: new Float32Array(), gpu: new Float32Array() };
  private readonly given: AbortController = new AbortController();
  private readonly context: CanvasRenderingContext2D | null;
  // Everything except the window, drawn once.
  private readonly picture = document.createElement('canvas');
  private pictured: Palette | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly window: TimeWindow,
  ) {
    this.context = canvas.getContext('2d');
    const { signal } = this.given;
    let grip: number | null = null; // Where the window is held while dragging, in microseconds.
    const time = (event: PointerEvent): number => {
      const box = canvas.getBoundingClientRect();
      return ((event.clientX - box.left) / box.width) * window.all[1];
    };
    const move = (event: PointerEvent): void => {
      if (grip === null) return;
      const from = time(event) - grip;
      window.show(from, from + window.span);
    };
    canvas.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button !== 0) return;
        canvas.setPointerCapture(event.pointerId);
        const at = time(event);
        grip = at >= window.from && at <= window.to ? at - window.from : window.span / 2;
        move(event);
      },
      { signal },
    );
    canvas.addEventListener('pointermove', move, { signal });
    for (const name of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(name, () => (grip = null), { signal });
    }
  }

  measure(tracks: Track[], tiles: TileStore): void {
    this.busy = busyOf(
      tracks,
      (track) => tiles.overview(track),
      this.canvas.width,
      this.window.all[1],
    );
    this.pictured = null;
  }

  draw(marks: Mark[], palette: Palette, ratio: number): void {
    const { context, canvas } = this;
    if (!context) return;
    const { width, height } = canvas;
    if (this.pictured !== palette) this.drawPicture(palette);
    context.drawImage(this.picture, 0, 0);
    const scale = width / this.window.all[1];
    for (const mark of marks) {
      context.fillStyle = mark.kind === 'outlier' ? palette.css.warning : palette.css.bad;
      context.fillRect(Math.round(mark.time * scale), 0, Math.ceil(ratio), 6 * ratio);
    }
    const from = Math.max(0, this.window.from * scale);
    const to = Math.min(width, Math.max(from + 2 * ratio, this.window.to * scale));
    context.globalAlpha = 0.6;
    context.fillStyle = palette.css.page;
    context.fillRect(0, 0, from, height);
    context.fillRect(to, 0, width - to, height);
    context.globalAlpha = 1;
    context.strokeStyle = palette.css.accent;
    context.lineWidth = 1.5 * ratio;
    context.strokeRect(from + ratio, ratio, Math.max(1, to - from - 2 * ratio), height - 2 * ratio);
  }

  close(): void {
    this.given.abort();
  }

  private drawPicture(palette: Palette): void {
    this.pictured = palette;
    const { width, height } = this.canvas;
    this.picture.width = width;
    this.picture.height = height;
    const context = this.picture.getContext('2d');
    if (!context) return;
    context.fillStyle = palette.css.card;
    context.fillRect(0, 0, width, height);
    const half = Math.floor(height / 2);
    const hasGpu = this.busy.gpu.some((value) => value > 0);
    this.drawBusy(context, this.busy.cpu, 0, hasGpu ? half : height, palette.css.accent);
    if (hasGpu) this.drawBusy(context, this.busy.gpu, half, height - half, palette.css.quiet);
  }

  private drawBusy(
    context: CanvasRenderingContext2D,
    busy: Float32Array,
    top: number,
    height: number,
    colour: string,
  ): void {
    context.fillStyle = colour;
    context.globalAlpha = 0.45;
    context.beginPath();
    context.moveTo(0, top + height);
    busy.forEach((value, x) => context.lineTo(x + 0.5, top + height - value * (height - 2)));
    context.lineTo(busy.length, top + height);
    context.fill();
    context.globalAlpha = 1;
  }
}
