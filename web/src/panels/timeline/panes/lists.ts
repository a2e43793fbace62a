// The visible events and marks as tables, also for screen readers.

import { html } from '../../../base/dom';
import { refill } from '../../../base/refill';
import type { Slice } from '../model/tile';
import type { Mark } from '../model/marks';
import { moment, span } from '../model/words';
import type { TrackTitle } from './selection';
import { link, table } from './table';

export interface Visible extends Slice {
  track: number;
  depth: number;
  text: string;
}

// `joined`: how many events are too short to show at this zoom level.
export function showEvents(
  into: HTMLElement,
  rows: Visible[],
  joined: number,
  title: TrackTitle,
  go: (one: Visible) => void,
): void {
  const hint = html('p', { class: 'quiet timeline-hint' });
  if (joined > 0) {
    hint.textContent = `${joined.toLocaleString('en')} more events are too short to show at this zoom level. Press w to zoom in.`;
  }
  if (rows.length === 0) {
    into.replaceChildren(
      html('p', { class: 'timeline-hint' }, 'No events are visible here.'),
      hint,
    );
    return;
  }
  const list = html('div', {});
  table(list, rows, {
    caption: 'Visible events',
    columns: [
      { title: 'Name', value: (one) => one.text, cell: (one) => link(one.text, () => go(one)) },
      { title: 'Track', value: (one) => title(one.track), cell: (one) => title(one.track) },
      {
        title: 'Depth',
        numeric: true,
        value: (one) => one.depth,
        cell: (one) => String(one.depth),
      },
      {
        title: 'Start',
        numeric: true,
        value: (one) => one.start,
        cell: (one) => moment(one.start, 0.001),
      },
      {
        title: 'Duration',
        numeric: true,
        value: (one) => one.end - one.start,
        cell: (one) => span(one.end - one.start),
      },
    ],
  });
  refill(into, hint, list);
}

export function showMarks(into: HTMLElement, marks: Mark[], go: (mark: Mark) => void): void {
  if (marks.length === 0) {
    const words = 'No marks. Slow steps and findings are marked on the time axis.';
    into.replaceChildren(html('p', { class: 'quiet timeline-hint' }, words));
    return;
  }
  table(into, marks, {
    caption: 'Marks on the time axis',
    columns: [
      {
        title: 'Kind',
        value: (mark) => mark.kind,
        cell: (mark) =>
          html(
            'span',
            { class: mark.kind === 'outlier' ? 'badge warning' : 'badge bad' },
            mark.kind === 'outlier' ? 'slow step' : 'finding',
          ),
      },
      {
        title: 'Description',
        value: (mark) => mark.words,
        cell: (mark) => link(mark.words, () => go(mark)),
      },
      {
        title: 'Step',
        numeric: true,
        value: (mark) => mark.step,
        cell: (mark) => (mark.step < 0 ? '–' : String(mark.step)),
      },
      {
        title: 'Time',
        numeric: true,
        value: (mark) => mark.time,
        cell: (mark) => moment(mark.time, 1000),
      },
    ],
  });
}
