// ROC curve with a handle that moves the threshold and shows the resulting metrics.
//
// Data: {positives, negatives, best, points: [[threshold or null, true positives, false positives]]}
// from the highest threshold to the lowest; null: nothing is classified as positive.

import { html, svg } from '../base/dom';
import { linear, ticks } from '../base/scale';
import { frame, type Place, xAxis, yAxis } from './chart';
import { outcome, percent, ratio, type RocData } from './roc_outcome';

const HEIGHT = 380;
const WIDTH = 460;

function handle(data: RocData, move: (at: number) => void): HTMLElement {
  const figures = html('dl', { class: 'outcome', 'aria-live': 'polite' });
  const range = html('input', { type: 'range', min: 0, max: data.points.length - 1, step: 1 });
  range.value = String(data.best);
  const show = (): void => {
    const point = data.points[Number(range.value)];
    if (!point) return;
    move(Number(range.value));
    range.setAttribute('aria-valuetext', point[0] === null ? 'above all scores' : String(point[0]));
    figures.replaceChildren(
      ...outcome(data, point).map(([name, value]) =>
        html('div', {}, html('dt', {}, name), html('dd', {}, value)),
      ),
    );
  };
  range.addEventListener('input', show);
  const best = html('button', { type: 'button' }, 'Best');
  best.addEventListener('click', () => {
    range.value = String(data.best);
    show();
  });
  show();
  return html(
    'div',
    { class: 'handle' },
    html('label', {}, 'Threshold, from high to low ', range),
    best,
    figures,
  );
}

export function drawRoc(data: RocData, place: Place): void {
  if (data.points.length === 0) return;
  const width = Math.min(place.width, WIDTH);
  const row = html('div', { class: 'roc-row' });
  place.into.append(row);
  const on = frame({ ...place, into: row, width }, Math.min(HEIGHT, width * 0.85), 52);
  const x = linear(0, 1, on.left, on.right);
  const y = linear(0, 1, on.bottom, on.top);
  yAxis(on, y, ticks(0, 1, 5), percent);
  xAxis(on, x, ticks(0, 1, Math.max(2, width / 90)), percent, place.xLabel);
  const at = (i: number): [number, number] => {
    const [, right, wrong] = data.points[i] ?? [null, 0, 0];
    return [x(ratio(wrong, data.negatives)), y(ratio(right, data.positives))];
  };
  on.svg.append(svg('line', { class: 'chance', x1: x(0), y1: y(0), x2: x(1), y2: y(1) }));
  const path = data.points
    .map((_, i) =>
      at(i)
        .map((value) => value.toFixed(1))
        .join(' '),
    )
    .join('L');
  on.svg.append(
    svg('path', { class: 'area fill s0', d: `M${path}L${x(1)} ${y(0)}L${x(0)} ${y(0)}Z` }),
  );
  on.svg.append(svg('path', { class: 'mark line s0', d: `M${path}` }));
  const dot = svg('circle', { class: 'dot chosen s1', r: 5 });
  on.svg.append(dot);
  row.append(
    handle(data, (i) => {
      const [cx, cy] = at(i);
      dot.setAttribute('cx', String(cx));
      dot.setAttribute('cy', String(cy));
    }),
  );
}
