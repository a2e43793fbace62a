// A field for the number of the sample that is shown.

import { html } from '../../base/dom';
import type { Desk } from './state';

export function imageField(desk: Desk): HTMLInputElement {
  const field = html('input', { type: 'number', min: 0, step: 1, value: 0 });
  field.addEventListener('input', () => {
    const image = Number(field.value);
    if (field.value !== '' && Number.isInteger(image) && image >= 0) desk.change({ image });
  });
  return field;
}
