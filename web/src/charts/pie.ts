// Shares of a whole, as a ring with a list next to it.
//
// Data: {slices: [{label, value, others?}], unit?, top?}, values of any scale. unit: of the values,
// which are then shown next to the shares. top: slices that are shown at first, with a field to
// change it.

import { html, svg } from '../base/dom';
import { figure, withUnit } from '../base/format';
import { type Place, tipOn } from './chart';
import { ring, SIZE } from './ring';
import {
  type GivenSlice,
  type Look,
  lookOf,
  LOOKS,
  mostSlices,
  REST_LOOK,
  topOf,
  topSlices,
} from './top_slices';

export interface PieData {
  slices: GivenSlice[];
  unit?: string;
  top?: number;
}

const CELL = 6; // Of a pattern, in the units of the ring.
let patterns = 0; // Their ids must be unique on the page.

// Adds the pattern to the picture; returns what to fill the slice with, if not plain color.
function patternOf({ colour, pattern }: Look, picture: SVGElement): string {
  if (pattern === 'solid') return '';
  const id = `slice-pattern-${++patterns}`;
  const drawn =
    pattern === 'striped'
      ? svg('path', { class: 'gap', d: `M0 ${CELL / 4}H${CELL}` })
      : svg('circle', { class: 'gap', cx: CELL / 2, cy: CELL / 2, r: CELL / 5 });
  picture.append(
    svg(
      'pattern',
      {
        id,
        class: `slice-pattern ${colour}`,
        width: CELL,
        height: CELL,
        patternUnits: 'userSpaceOnUse',
        patternTransform: 'rotate(45)',
      },
      svg('rect', { class: 'ground', width: CELL, height: CELL }),
      drawn,
    ),
  );
  return `fill: url(#${id})`;
}

// How many to show, and whether the rest is part of the ring.
function fields(data: PieData, place: Place): HTMLElement {
  const { state } = place;
  const most = mostSlices(data.slices);
  const k = html('input', {
    type: 'number',
    min: 1,
    max: most,
    step: 1,
    inputmode: 'numeric',
    'aria-label': `Slices to show, 1 to ${most}`,
  });
  k.value = String(Math.min(state.top ?? data.top ?? most, most));
  k.addEventListener('change', () => {
    state.top = topOf(k.value, data.slices) ?? state.top;
    place.redraw();
    place.into.querySelector<HTMLElement>('.pie-fields input')?.focus();
  });
  const others = html('input', { type: 'checkbox' });
  others.checked = !state.withoutRest;
  others.addEventListener('change', () => {
    state.withoutRest = !others.checked;
    place.redraw();
    place.into.querySelector<HTMLElement>('.pie-fields [type=checkbox]')?.focus();
  });
  return html(
    'div',
    { class: 'pie-fields' },
    html('label', {}, 'Top ', k, ` of ${figure(countOf(data))}`),
    html('label', {}, others, ' Others'),
  );
}

const countOf = ({ slices }: PieData): number =>
  slices.reduce((count, { others }) => count + (others ?? 1), 0);

export function drawPie(data: PieData, place: Place): void {
  const { state } = place;
  const k = state.top ?? data.top ?? LOOKS;
  const slices = topSlices(data.slices, k, !state.withoutRest);
  const drawn = slices.reduce((all, { share }) => all + share, 0);
  if (!(drawn > 0)) return;
  const picture = svg('svg', {
    viewBox: `0 0 ${SIZE} ${SIZE}`,
    class: 'ring',
    'aria-hidden': 'true',
  });
  const list = html('ul', { class: 'shares' });
  const { unit = '' } = data;
  let from = 0;
  slices.forEach((slice, i) => {
    const percent = `${figure(Math.round(slice.share * 1000) / 10)} %`;
    const value = unit ? withUnit(slice.value, unit === 's' ? unit : '') : '';
    const look = slice.rest ? REST_LOOK : lookOf(i);
    const width = slice.share / drawn;
    if (width > 0) {
      const path = svg('path', {
        class: `mark slice ${look.colour}`,
        d: ring(from, from + width),
      });
      path.style.cssText = patternOf(look, picture);
      tipOn(path, () => [slice.label, unit ? withUnit(slice.value, unit) : '', percent]);
      picture.append(path);
    }
    from += width;
    const line = html(
      'li',
      { class: look.colour },
      html('span', { class: `swatch ${look.pattern}`, 'aria-hidden': 'true' }),
      html('span', { class: 'name' }, slice.label),
    );
    if (value) line.append(html('span', { class: 'value amount' }, value));
    line.append(html('span', { class: 'value' }, percent));
    list.append(line);
  });
  const row = html('div', { class: 'pie-row' }, picture, list);
  if (data.top !== undefined && countOf(data) > 1) place.into.append(fields(data, place));
  place.into.append(row);
}
