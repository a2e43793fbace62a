// The image, the map, and the map over the image, next to each other.

import { html } from '../../base/dom';
import { paintColours, type Picture, rangeOfPicture } from './paint';

export interface MapShown {
  readonly rows: number;
  readonly columns: number;
  readonly values: ArrayLike<number>; // 0 to 1.
  readonly channels: number;
  readonly image: {
    rows: number;
    columns: number;
    channels: number;
    bytes: boolean;
    at: (channel: number, row: number, column: number) => number;
  } | null;
  readonly trouble: string; // Why there is no image, if one was requested.
}

type Rgb = readonly [number, number, number];

// Over an image the same on light and dark pages: from deep blue to yellow, with even lightness.
const STOPS: Rgb[] = [
  [13, 8, 135],
  [106, 0, 168],
  [177, 42, 144],
  [225, 100, 98],
  [252, 166, 54],
  [240, 249, 33],
];

function shade(value: number): Rgb {
  const at = Math.max(0, Math.min(1, Number.isNaN(value) ? 0 : value)) * (STOPS.length - 1);
  const from = STOPS[Math.floor(at)] ?? [0, 0, 0];
  const to = STOPS[Math.ceil(at)] ?? from;
  const part = at - Math.floor(at);
  return [0, 1, 2].map((k) =>
    Math.round((from[k] ?? 0) + ((to[k] ?? 0) - (from[k] ?? 0)) * part),
  ) as unknown as Rgb;
}

function mapCanvas({ rows, columns, values }: MapShown): HTMLCanvasElement {
  const canvas = html('canvas', { width: Math.max(1, columns), height: Math.max(1, rows) });
  const context = canvas.getContext('2d');
  const image = context?.createImageData(canvas.width, canvas.height);
  if (!context || !image) return canvas;
  for (let i = 0; i < rows * columns; ++i) image.data.set([...shade(values[i] ?? 0), 255], 4 * i);
  context.putImageData(image, 0, 0);
  return canvas;
}

function imageCanvas(image: NonNullable<MapShown['image']>): HTMLCanvasElement {
  const canvas = html('canvas');
  const channels: Picture[] = Array.from({ length: image.channels }, (_, k) => ({
    rows: image.rows,
    columns: image.columns,
    value: (row, column) => image.at(k, row, column),
  }));
  const ranges = channels.map(rangeOfPicture);
  const range: [number, number] = [
    Math.min(...ranges.map(([low]) => low)),
    Math.max(...ranges.map(([, high]) => high)),
  ];
  paintColours(canvas, channels, image.bytes ? [0, 255] : range);
  return canvas;
}

// Both stretched to the same size: a map has fewer pixels than its image.
function overlay(
  image: HTMLCanvasElement,
  map: HTMLCanvasElement,
  share: number,
): HTMLCanvasElement {
  const canvas = html('canvas', {
    width: Math.max(image.width, 224),
    height: Math.max(image.height, Math.round((224 * image.height) / image.width)),
  });
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  context.imageSmoothingEnabled = true;
  context.globalAlpha = share;
  context.drawImage(map, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function figureOf(canvas: HTMLCanvasElement, words: string, ratio: number): HTMLElement {
  canvas.classList.add('tensors-image');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', words);
  canvas.style.aspectRatio = String(ratio || 1);
  return html('figure', {}, canvas, html('figcaption', {}, words));
}

// share: opacity of the map over the image.
export function drawActivation(box: HTMLElement, shown: MapShown, share: number): void {
  const map = mapCanvas(shown);
  if (!shown.image)
    return box.replaceChildren(figureOf(map, 'Activation map', shown.columns / shown.rows));
  const image = imageCanvas(shown.image);
  const ratio = shown.image.columns / shown.image.rows;
  box.replaceChildren(
    figureOf(overlay(image, map, share), 'Map over image', ratio),
    figureOf(image, 'Input image', ratio),
    figureOf(map, 'Activation map', ratio),
  );
}
