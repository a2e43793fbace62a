// The layers with the smallest and largest values: where to look first.

import { html } from '../../base/dom';
import { figure } from '../../base/format';
import type { Matrix } from './matrix';

const SHOWN = 5;

type Names = Pick<Matrix, 'rows' | 'short'>;

function list(
  title: string,
  rows: readonly number[],
  names: Names,
  values: Float32Array,
  open: (row: number) => void,
): HTMLElement {
  const items = rows.map((row) => {
    const button = html(
      'button',
      { type: 'button', class: 'layers-link', title: names.rows[row] ?? '' },
      names.short[row] ?? '',
    );
    button.addEventListener('click', () => open(row));
    return html(
      'tr',
      {},
      html('td', { class: 'clip' }, button),
      html('td', { class: 'number' }, figure(values[row] ?? NaN)),
    );
  });
  return html(
    'div',
    { class: 'table' },
    html('table', {}, html('caption', {}, title), html('tbody', {}, ...items)),
  );
}

// The rows with finite values, from the lowest; equal ones in model order.
export function finiteRows(rows: number, values: Float32Array): number[] {
  const finite = Array.from({ length: rows }, (_, row) => row).filter((row) =>
    Number.isFinite(values[row]),
  );
  return finite.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
}

export function extremes(
  names: Names,
  values: Float32Array,
  magnitude: boolean,
  open: (row: number) => void,
): HTMLElement {
  const finite = finiteRows(names.rows.length, values);
  const box = html('div', { class: 'layers-extremes' });
  const broken = names.rows.filter((_, row) => values[row] === Infinity).length;
  const words = `${broken.toLocaleString('en')} of ${names.rows.length.toLocaleString('en')} tensors are NaN or infinite at this step.`;
  if (broken > 0) box.append(html('p', { class: 'notice warning layers-broken' }, words));
  if (finite.length === 0) return box;
  box.append(list(magnitude ? 'Smallest' : 'Lowest', finite.slice(0, SHOWN), names, values, open));
  if (finite.length > SHOWN)
    box.append(
      list(magnitude ? 'Largest' : 'Highest', finite.slice(-SHOWN).reverse(), names, values, open),
    );
  return box;
}
