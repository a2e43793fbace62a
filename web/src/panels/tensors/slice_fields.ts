// Which part of a tensor: an index for each axis that the view does not show, and a slice as text.

import { html } from '../../base/dom';
import type { Desk } from './state';
import { axisOf, partsFor, shownAxes, sliceText, type View } from './slices';

export class SliceFields {
  readonly element = html('div', {
    class: 'tensors-slices',
    role: 'group',
    'aria-label': 'Part of the tensor',
  });
  private drawn = '';

  constructor(private readonly desk: Desk) {}

  show(shape: readonly number[], view: View): void {
    const { slice } = this.desk.state();
    const parts = partsFor(slice, shape, view);
    const key = JSON.stringify([shape, view]);
    if (key !== this.drawn) this.make(shape, view);
    this.drawn = key;
    const inputs = [...this.element.querySelectorAll('input')];
    inputs.forEach((input, axis) => {
      if (input === document.activeElement) return;
      const last = axis === inputs.length - 1;
      input.value = last
        ? slice || (parts ? sliceText(parts) : '')
        : String(axisOf(parts?.[axis] ?? '0', shape[axis] ?? 1).start);
    });
    this.element.hidden = shape.length === 0;
  }

  private make(shape: readonly number[], view: View): void {
    const leading = shape.length - shownAxes(view, shape.length);
    const fields: HTMLElement[] = [];
    for (let axis = 0; axis < leading; ++axis) {
      const size = shape[axis] ?? 1;
      const input = html('input', { type: 'number', min: 0, max: Math.max(0, size - 1), step: 1 });
      input.addEventListener('input', () => this.choose(shape, view, axis, input));
      fields.push(
        html('label', { class: 'field' }, `Axis ${axis} of ${size.toLocaleString('en')}`, input),
      );
    }
    const text = html('input', {
      type: 'text',
      spellcheck: 'false',
      placeholder: ':',
      class: 'mono',
    });
    text.addEventListener('change', () => this.desk.change({ slice: text.value.trim() }, true));
    fields.push(html('label', { class: 'field tensors-slice' }, 'Slice, as in NumPy', text));
    this.element.replaceChildren(...fields);
  }

  private choose(
    shape: readonly number[],
    view: View,
    axis: number,
    input: HTMLInputElement,
  ): void {
    const parts = partsFor(this.desk.state().slice, shape, view) ?? partsFor('', shape, view);
    const place = Number(input.value);
    if (
      !parts ||
      input.value === '' ||
      !Number.isInteger(place) ||
      place < 0 ||
      place >= (shape[axis] ?? 1)
    )
      return;
    parts[axis] = String(place);
    this.desk.change({ slice: sliceText(parts) });
  }
}
