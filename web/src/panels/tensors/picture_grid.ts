// Many small images: channels of an activation, attention heads, images of a batch.

import { html } from '../../base/dom';
import { figure } from '../../base/format';
import { hideTip, showTip } from '../../charts/chart';
import { HeatScale } from '../../plots/heat_scale';
import { onThemeChange, palette } from '../../plots/palette';
import { makeRamp } from '../../plots/ramp';
import { kindFor, paint, paintColours, type Picture, rangeOfPicture } from './paint';
import { writeValue } from './value';

export interface Tile {
  readonly name: string; // 'channel 3'
  readonly channels: readonly Picture[]; // One channel; three for a color image.
  open?: () => void; // Opens this one alone.
}

export interface GridOptions {
  readonly each: boolean; // Each image has its own color range.
  readonly colours: boolean; // Images as they are, not values on a color ramp.
  readonly bytes: boolean; // Values from 0 to 255.
}

type Range = [number, number];

const joined = (ranges: readonly Range[]): Range =>
  ranges.length === 0
    ? [0, 1]
    : [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];

// Preferred pixels of the longer side; small images are magnified by a whole number.
const sideFor = (longest: number): number =>
  longest >= 112
    ? Math.min(longest, 224)
    : longest * Math.max(1, Math.floor(112 / Math.max(1, longest)));

export class PictureGrid {
  private readonly list = html('div', { class: 'tensors-pictures' });
  private readonly scale = new HeatScale();
  private readonly canvases: HTMLCanvasElement[] = [];
  private readonly stopTheme: () => void;

  constructor(
    into: HTMLElement,
    private readonly tiles: readonly Tile[],
    private readonly options: GridOptions,
  ) {
    const scale = html('div', { class: 'tensors-scale' }, this.scale.element);
    scale.hidden = options.colours || options.each;
    for (const tile of tiles) this.list.append(this.make(tile));
    into.append(scale, this.list);
    this.stopTheme = onThemeChange(() => this.paint());
    this.paint();
  }

  destroy(): void {
    hideTip();
    this.stopTheme();
    this.list.remove();
  }

  private make(tile: Tile): HTMLElement {
    const [first] = tile.channels;
    const canvas = html('canvas', { class: 'tensors-image', 'aria-hidden': 'true' });
    const side = sideFor(Math.max(first?.rows ?? 1, first?.columns ?? 1));
    const ratio = (first?.columns ?? 1) / Math.max(1, first?.rows ?? 1);
    canvas.style.width = `${ratio >= 1 ? side : Math.max(4, side * ratio)}px`;
    canvas.style.height = `${ratio >= 1 ? Math.max(4, side / ratio) : side}px`;
    canvas.addEventListener('mousemove', (event) => this.hover(event, canvas, tile));
    canvas.addEventListener('mouseleave', hideTip);
    this.canvases.push(canvas);
    const name = html('span', { class: 'tensors-picture-name' }, tile.name);
    if (!tile.open) return html('div', { class: 'tensors-picture' }, canvas, name);
    const button = html(
      'button',
      {
        type: 'button',
        class: 'tensors-picture',
        'aria-label': `${tile.name}: show only this one`,
      },
      canvas,
      name,
    );
    button.addEventListener('click', () => tile.open?.());
    return button;
  }

  private paint(): void {
    const ranges = this.tiles.map(({ channels }) => joined(channels.map(rangeOfPicture)));
    const all = joined(ranges);
    const { dark } = palette();
    this.tiles.forEach(({ channels }, i) => {
      const canvas = this.canvases[i];
      const [first] = channels;
      const range = this.options.each ? (ranges[i] ?? all) : all;
      if (!canvas || !first) return;
      if (this.options.colours)
        paintColours(canvas, channels, this.options.bytes ? [0, 255] : range);
      else paint(canvas, first, makeRamp(kindFor(range), range, dark));
    });
    this.scale.show(makeRamp(kindFor(all), all, dark), figure, false);
  }

  private hover(event: MouseEvent, canvas: HTMLCanvasElement, tile: Tile): void {
    const box = canvas.getBoundingClientRect();
    const [first] = tile.channels;
    if (!first) return;
    const row = Math.max(
      0,
      Math.min(first.rows - 1, Math.floor(((event.clientY - box.top) / box.height) * first.rows)),
    );
    const column = Math.max(
      0,
      Math.min(
        first.columns - 1,
        Math.floor(((event.clientX - box.left) / box.width) * first.columns),
      ),
    );
    const words = tile.channels.map((picture) => writeValue(picture.value(row, column))).join(', ');
    showTip(event, [words, `${tile.name}, row ${row}, column ${column}`]);
  }
}
