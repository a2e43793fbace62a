// What is under the pointer: a tooltip and an outline.

import { figure, withUnit } from '../../base/format';
import type { CounterStore } from './counter_store';
import { hitAt } from './explore';
import { valueAt } from './model/counters';
import type { Names } from './model/names';
import type { TrackTitle } from './panes/selection';
import type { Point } from './pointer';
import type { Mark } from './model/marks';
import { markAt } from './ruler';
import type { Stage } from './stage';
import type { TileStore } from './tile_store';
import { Tip } from './tip';
import { many, moment, span } from './model/words';

export class Hover {
  readonly tip = new Tip();

  // `pick` is called when a mark on the ruler is clicked.
  constructor(
    private readonly stage: Stage,
    private readonly tiles: TileStore,
    private readonly names: Names,
    private readonly title: TrackTitle,
    private readonly counters: CounterStore,
    pick: (mark: Mark) => void,
  ) {
    stage.ruler.addEventListener('pointermove', (event) => this.overRuler(event));
    stage.ruler.addEventListener('pointerleave', () => this.tip.hide());
    stage.ruler.addEventListener('click', (event) => {
      const mark = this.markUnder(event);
      if (mark) pick(mark);
    });
  }

  over(at: Point | null, event: PointerEvent): void {
    const { stage } = this;
    const hit = at ? hitAt(at.x, at.y, stage.screen, stage.lanes, this.tiles) : null;
    stage.over.hovered = hit;
    stage.over.pointer = at && event.pointerType === 'mouse' ? at.x * stage.screen.ratio : null;
    stage.front.style.cursor = hit ? 'pointer' : '';
    stage.overChanged();
    if (at && !hit && event.pointerType !== 'touch' && this.overCounter(at, event)) return;
    if (!hit || event.pointerType === 'touch') return this.tip.hide();
    const { slice } = hit;
    const name = this.names.text(slice.name) || '(no name)';
    const when = `at ${moment(slice.start, 1)} · ${this.title(hit.track)}`;
    const lines =
      slice.count > 1
        ? [
            many(slice.count, 'event'),
            `mostly ${name}`,
            `within ${span(slice.end - slice.start)} · ${when}`,
          ]
        : [name, `${span(slice.end - slice.start)} · ${when}`];
    this.tip.show(event.clientX, event.clientY, lines);
  }

  // The value of a counter; false if there is none.
  private overCounter(at: Point, event: PointerEvent): boolean {
    const { screen, lanes } = this.stage;
    const counter = lanes.at(at.y + screen.scroll)?.lane.counter;
    const data = counter && this.counters.of(counter);
    if (!counter || !data) return false;
    const pixel = (screen.to - screen.from) / screen.width;
    const time = screen.from + at.x * screen.ratio * pixel;
    const value = valueAt(data, time);
    if (Number.isNaN(value)) return false;
    const words = counter.unit === '%' ? `${figure(value)} %` : withUnit(value, counter.unit);
    const where = `${counter.node} › ${counter.title}`;
    this.tip.show(event.clientX, event.clientY, [words, `${where} at ${moment(time, 1e4)}`]);
    return true;
  }

  // The tracks moved, so something else is under the pointer.
  moved(): void {
    this.tip.hide();
  }

  private markUnder(event: MouseEvent): Mark | undefined {
    const { screen, ruler, marks } = this.stage;
    return markAt(
      marks,
      screen,
      (event.clientX - ruler.getBoundingClientRect().left) * screen.ratio,
    );
  }

  private overRuler(event: PointerEvent): void {
    const mark = this.markUnder(event);
    this.stage.ruler.style.cursor = mark ? 'pointer' : '';
    if (mark) this.tip.show(event.clientX, event.clientY, [mark.words]);
    else this.tip.hide();
  }
}
