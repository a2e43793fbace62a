// Details of the selected event and its connections.

import type { TimelineEvent, TimelineHit } from '../../../api/types';
import { html } from '../../../base/dom';
import { moment, span } from '../model/words';
import { link, table } from './table';

export type TrackTitle = (track: number) => string;

function fact(name: string, value: string): HTMLElement {
  return html('div', {}, html('dt', {}, name), html('dd', {}, value));
}

const written = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export function showSelection(
  into: HTMLElement,
  event: TimelineEvent | null,
  title: TrackTitle,
  frame: () => void,
): void {
  if (!event) {
    const words = matchMedia('(pointer: coarse)').matches
      ? 'Tap an event for details. Pinch to zoom. Statistics cover the visible range.'
      : 'Click an event for details. Shift-drag selects a range for statistics. Press ? for all keyboard shortcuts.';
    into.replaceChildren(html('p', { class: 'quiet timeline-hint' }, words));
    return;
  }
  const zoom = html('button', { type: 'button', class: 'button small' }, 'Zoom to event (f)');
  zoom.addEventListener('click', frame);
  const facts = html(
    'dl',
    { class: 'facts timeline-facts' },
    fact('Category', event.category || '–'),
    fact('Start', moment(event.start, 0.001)),
    fact('Duration', span(event.duration)),
    fact('Self', span(event.self)),
    fact('Step', event.step === null ? '–' : String(event.step)),
    fact('Track', title(event.track)),
  );
  const head = html(
    'div',
    { class: 'timeline-chosen' },
    html('h2', {}, event.name || '(no name)'),
    zoom,
  );
  const about = html('div', { class: 'timeline-about' }, facts);
  const args = Object.entries(event.args ?? {});
  if (args.length > 0) {
    const rows = args.map(([name, value]) =>
      html(
        'tr',
        {},
        html('th', { scope: 'row' }, name),
        html('td', { class: 'mono' }, written(value)),
      ),
    );
    const whole = html('table', {}, html('caption', {}, 'Arguments'), html('tbody', {}, ...rows));
    about.append(html('div', { class: 'table timeline-args' }, whole));
  }
  into.replaceChildren(head, about);
}

export function showConnections(
  into: HTMLElement,
  event: TimelineEvent | null,
  title: TrackTitle,
  go: (hit: TimelineHit) => void,
): void {
  if (!event || event.connected.length === 0) {
    const words = event
      ? `${event.name || 'The selected event'} has no connections. Launches are connected to the GPU work they started.`
      : 'Select a launch to see the GPU work it started, or GPU work to see its launch.';
    into.replaceChildren(html('p', { class: 'quiet timeline-hint' }, words));
    return;
  }
  type Row = TimelineHit & { kind: 'launch' | 'run'; self: boolean };
  const other = event.connected[0]?.kind === 'launch' ? 'run' : 'launch';
  const rows: Row[] = [
    { ...event, kind: other, self: true },
    ...event.connected.map((one) => ({ ...one, self: false })),
  ];
  table(into, rows, {
    caption: 'Launches and the GPU work they started',
    current: (row) => row.self,
    columns: [
      {
        title: 'Kind',
        value: (row) => row.kind,
        cell: (row) =>
          html('span', { class: row.kind === 'run' ? 'badge accent' : 'badge quiet' }, row.kind),
      },
      {
        title: 'Name',
        value: (row) => row.name,
        cell: (row) => link(row.name, () => go(row), `Show ${row.name}`),
      },
      { title: 'Track', value: (row) => title(row.track), cell: (row) => title(row.track) },
      {
        title: 'Start',
        numeric: true,
        value: (row) => row.start,
        cell: (row) => moment(row.start, 0.001),
      },
      {
        title: 'Duration',
        numeric: true,
        value: (row) => row.duration,
        cell: (row) => span(row.duration),
      },
      {
        title: 'Offset',
        numeric: true,
        value: (row) => row.start - event.start,
        cell: (row) =>
          row.self
            ? ''
            : `${row.start < event.start ? '−' : '+'}${span(Math.abs(row.start - event.start))}`,
      },
    ],
  });
}
