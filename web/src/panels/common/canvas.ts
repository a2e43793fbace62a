// A canvas as wide as its container and as sharp as the screen, redrawn when size or theme changes.

import { html } from '../../base/dom';
import { onThemeChange } from '../../plots/palette';

export class Drawing {
  readonly canvas: HTMLCanvasElement;
  private readonly resized: ResizeObserver;
  private readonly stopTheme: () => void;
  private frame = 0;
  private tall = 0;

  // draw: called with an empty canvas, in CSS pixels.
  constructor(
    private readonly box: HTMLElement,
    label: string,
    private readonly draw: (
      context: CanvasRenderingContext2D,
      width: number,
      height: number,
    ) => void,
  ) {
    this.canvas = html('canvas', { tabindex: 0, role: 'img', 'aria-label': label });
    box.append(this.canvas);
    this.stopTheme = onThemeChange(() => this.redraw());
    this.resized = new ResizeObserver(() => this.redraw());
    this.resized.observe(box);
  }

  set height(height: number) {
    this.tall = height;
    this.redraw();
  }

  redraw(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.drawNow());
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.resized.disconnect();
    this.stopTheme();
    this.canvas.remove();
  }

  private drawNow(): void {
    this.frame = 0;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.floor(this.box.clientWidth);
    if (width < 20 || this.tall <= 0) return;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.tall * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${this.tall}px`;
    const context = this.canvas.getContext('2d');
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, this.tall);
    this.draw(context, width, this.tall);
  }
}
