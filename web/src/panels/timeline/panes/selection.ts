// What is known of the selected event, and what it is connected with.

import type { TimelineEvent, TimelineHit } from '../../../api/types';
import { html } from '../../../base/dom';
import { moment, span } from '../words';
import { link, table } from './table';

export type TrackTitle = (track: number) => string;

function fact(name: string, value: string): HTMLElement {
  return html('div', {}, html('dt', {}, name), html('dd', {}, value));
}

const written = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

export function showSelection(into: HTMLElement, event: TimelineEvent | null, title: TrackTitle, frame: () => void): void {
  if (!event) {
    const words = matchMedia('(pointer: coarse)').matches
      ? 'Tap an event to see what it is. Two fingers enlarge; Statistics are of what can be seen.'
      : 'Click an event to see what it is. Shift and dragging chooses a range for statistics; ? shows all keys.';
    into.replaceChildren(html('p', { class: 'quiet timeline-hint' }, words));
    return;
  }
  const zoom = html('button', { type: 'button', class: 'button small' }, 'Zoom to it (f)');
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
  const head = html('div', { class: 'timeline-chosen' }, html('h2', {}, event.name || '(no name)'), zoom);
  const about = html('div', { class: 'timeline-about' }, facts);
  const args = Object.entries(event.args ?? {});
  if (args.length > 0) {
    const rows = args.map(([name, value]) => html('tr', {}, html('th', { scope: 'row' }, name), html('td', { class: 'mono' }, written(value))));
    const whole = html('table', {}, html('caption', {}, 'Arguments'), html('tbody', {}, ...rows));
    about.append(html('div', { class: 'table timeline-args' }, whole));
  }
  into.replaceChildren(head, about);
}

export function showConnections(
  into: HTMLElement, event: TimelineEvent | null, title: TrackTitle, go: (hit: TimelineHit) => void,
): void {
  if (!event || event.connected.length === 0) {
    const words = event
      ? `${event.name || 'The selected event'} has no connections: launches are connected with what they ran on a device.`
      : 'Select a launch to see what it ran, or what ran to see its launch.';
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
    caption: 'Launches and what they ran',
    current: (row) => row.self,
    columns: [
      { title: 'Kind', value: (row) => row.kind, cell: (row) => html('span', { class: row.kind === 'run' ? 'badge accent' : 'badge quiet' }, row.kind) },
      { title: 'Name', value: (row) => row.name, cell: (row) => link(row.name, () => go(row), `Show ${row.name}`) },
      { title: 'Track', value: (row) => title(row.track), cell: (row) => title(row.track) },
      { title: 'Start', numeric: true, value: (row) => row.start, cell: (row) => moment(row.start, 0.001) },
      { title: 'Duration', numeric: true, value: (row) => row.duration, cell: (row) => span(row.duration) },
      {
        title: 'After the selected',
        numeric: true,
        value: (row) => row.start - event.start,
        cell: (row) => (row.self ? '' : `${row.start < event.start ? '−' : '+'}${span(Math.abs(row.start - event.start))}`),
      },
    ],
  });
}
