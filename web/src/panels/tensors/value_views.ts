// Draws the answer for a tensor in the chosen view.

import { html } from '../../base/dom';
import { SeriesPlot } from '../../plots/series_plot';
import { empty } from '../common/states';
import type { Picture } from './paint';
import { type GridOptions, PictureGrid, type Tile } from './picture_grid';
import { type Axis, elementsOf, sliceText, type View } from './slices';
import type { Desk } from './state';
import { placeOf, type Shown, writeValue } from './value';
import { thinnedLine } from './value_line';
import { ValueImage } from './value_image';
import { ValueTable } from './value_table';

export interface Drawn {
  destroy: () => void;
}

const NOTHING: Drawn = { destroy: () => undefined };

// parts: the requested slice, one part per axis of the tensor.
export function drawShown(
  box: HTMLElement,
  shown: Shown,
  view: View,
  desk: Desk,
  parts: readonly string[],
): Drawn {
  const rank = shown.axes.length;
  if (shown.axes.some(({ length }) => length === 0))
    return said(box, empty('Nothing to show', 'The slice is empty along one axis.'));
  if (elementsOf(shown.axes) === 1)
    return said(
      box,
      html(
        'p',
        { class: 'tensors-single' },
        writeValue(shown.header.strings?.[0] ?? shown.values[0] ?? NaN),
      ),
    );
  // A custom slice can leave fewer axes than the view needs: show what is left.
  if (shown.header.strings || (rank <= 2 && view === 'table')) return drawTable(box, shown);
  if (rank === 1) return drawLine(box, shown);
  if (rank === 2) return drawImage(box, shown);
  if (rank === 3)
    return drawChannels(
      box,
      shown,
      view === 'channels-last' || view === 'images-last' ? 2 : 0,
      desk,
      parts,
    );
  if (rank === 4 && view.startsWith('images'))
    return drawImages(box, shown, view === 'images-last', desk);
  return said(
    box,
    empty(
      'Too many axes for this view',
      'Choose one index for each of the first axes, or enter a slice.',
    ),
  );
}

function said(box: HTMLElement, element: HTMLElement): Drawn {
  box.append(element);
  return NOTHING;
}

function drawTable(box: HTMLElement, shown: Shown): Drawn {
  const [rows, columns = null] = shown.axes;
  if (!rows || shown.axes.length > 2)
    return said(
      box,
      empty('Too many axes for a table', 'Choose one index for each of the first axes.'),
    );
  const wide = columns?.length ?? 1;
  const { strings } = shown.header;
  const at = (row: number, column: number): number | string | undefined =>
    (strings ?? shown.values)[row * wide + column];
  return new ValueTable(box, shown.tensor, { rows, columns, at });
}

function drawLine(box: HTMLElement, shown: Shown): Drawn {
  const [axis] = shown.axes;
  if (!axis) return NOTHING;
  const ends = [axis.start, placeOf(axis, axis.length - 1)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  const draw = (range: [number, number] | null): void => {
    const { x, low, high } = thinnedLine(shown.values, axis, range);
    if (axis.step < 0) for (const column of [x, low, high]) column.reverse();
    plot.setData([{ name: 'value', x, low, high }]);
  };
  const plot = new SeriesPlot(box, {
    label: `${shown.tensor} by index`,
    xLabel: 'Index',
    height: 320,
    extent: ends[0] < ends[1] ? ends : null,
    onRange: (range) => draw(range),
  });
  draw(null);
  return plot;
}

function drawImage(box: HTMLElement, shown: Shown): Drawn {
  const [rows, columns] = shown.axes;
  if (!rows || !columns) return NOTHING;
  const value = (row: number, column: number): number =>
    shown.values[row * columns.length + column] ?? NaN;
  return new ValueImage(
    box,
    shown.tensor,
    { rows: rows.length, columns: columns.length, value },
    rows,
    columns,
  );
}

// A plane of an array: offset, and strides of rows and columns.
function plane(
  values: ArrayLike<number>,
  rows: number,
  columns: number,
  start: number,
  perRow: number,
  perColumn: number,
): Picture {
  return {
    rows,
    columns,
    value: (row, column) => values[start + row * perRow + column * perColumn] ?? NaN,
  };
}

const optionsOf = (shown: Shown, desk: Desk, colours: boolean): GridOptions => ({
  each: desk.state().each,
  colours,
  bytes: shown.header.dtype === 'uint8',
});

// which: the channel axis among the three.
function drawChannels(
  box: HTMLElement,
  shown: Shown,
  which: 0 | 2,
  desk: Desk,
  parts: readonly string[],
): Drawn {
  const [a, b, c] = shown.axes.map(({ length }) => length) as [number, number, number];
  const channels = shown.axes[which];
  if (!channels) return NOTHING;
  const open = (place: number): void => {
    const ranged = parts.map((part, i) => (part.includes(':') ? i : -1)).filter((i) => i >= 0);
    const alone = parts.map((part, i) =>
      i === ranged[which] ? String(place) : part.includes(':') ? ':' : part,
    );
    desk.change({ slice: sliceText(alone), view: 'image' }, true);
  };
  const tiles: Tile[] = Array.from({ length: channels.length }, (_, i) => {
    const picture =
      which === 0
        ? plane(shown.values, b, c, i * b * c, c, 1)
        : plane(shown.values, a, b, i, b * c, c);
    const place = placeOf(channels, i);
    // With channels last, a single channel is not a slice of the last two axes, so it cannot be
    // opened alone.
    return {
      name: String(place),
      channels: [picture],
      ...(which === 0 ? { open: () => open(place) } : {}),
    };
  });
  return new PictureGrid(box, tiles, optionsOf(shown, desk, false));
}

// Gray or color, one per index of the first axis.
function drawImages(box: HTMLElement, shown: Shown, last: boolean, desk: Desk): Drawn {
  const [n, a, b, c] = shown.axes.map(({ length }) => length) as [number, number, number, number];
  const count = last ? c : a;
  const tiles: Tile[] = Array.from({ length: n }, (_, i) => {
    const start = i * a * b * c;
    const one = (k: number): Picture =>
      last
        ? plane(shown.values, a, b, start + k, b * c, c)
        : plane(shown.values, b, c, start + k * b * c, c, 1);
    return {
      name: String(placeOf(shown.axes[0] as Axis, i)),
      channels: Array.from({ length: Math.min(3, count) }, (_, k) => one(k)),
    };
  });
  return new PictureGrid(box, tiles, optionsOf(shown, desk, true));
}
