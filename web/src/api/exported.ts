// A run that was exported with its page: the data is in the page, and there is no server. The
// service writes it (warden/dashboard/site/export_run.cc).

import { type Column, type Columns, readColumns } from './columns';
import { partOfLog } from './exported_log';
import type { LogPage, Session } from './types';

interface Index {
  run: string; // Its ID.
  name: string;
  exported: string; // '2026-01-31T12:00:00Z'.
  version: string;
  worker: string; // The one whose data is in it.
  left_out: string[]; // What is not, as sentences.
  answers: [key: string, first: number, length: number][];
}

const ELEMENT = 'warden-export';
const BASE = '/-/api/';
// What answers depend on. The rest is the window of a zoom and the size of the screen: the data in the
// page covers the whole run.
const PARTS = ['collection', 'host', 'key', 'match', 'mode', 'node', 'of', 'statistic'];
PARTS.push('step', 'tensor', 'worker', 'x');
// Answers that would be wrong for a part of the run.
const WHOLE_ONLY = ['metrics/summary'];
// Panels that need the server.
const MISSING = ['compare', 'timeline', 'reports'];

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );

// The same text as ExportKey in export_run.cc.
export function keyOf(what: string, query: URLSearchParams, worker: string): string {
  const pairs = [...query].filter(([name, value]) => PARTS.includes(name) && value !== '');
  const mode = query.get('mode') ?? 'GLOBAL';
  const kept = pairs.filter(([name, value]) => {
    if (name === 'mode') return mode !== 'GLOBAL';
    if (name === 'worker') return value !== worker;
    if (name === 'x') return value !== 'mode' && !(value === 'global' && mode === 'GLOBAL');
    return true;
  });
  const text = kept.map(([name, value]) => `${name}=${encoded(value)}`).sort();
  return text.length > 0 ? `${what}?${text.join('&')}` : what;
}

const TYPES = new Map<unknown, string>([
  [Float64Array, 'f64'],
  [Float32Array, 'f32'],
  [Uint32Array, 'u32'],
  [Uint8Array, 'u8'],
]);
const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

// As the server writes it; see columns.ts.
export function writeColumns(header: object, columns: [string, Column][]): ArrayBuffer {
  const described = columns.map(([name, { constructor, length }]) => ({
    name,
    type: TYPES.get(constructor),
    length,
  }));
  const text = new TextEncoder().encode(JSON.stringify({ ...header, columns: described }));
  const start = 8 + padded(text.length);
  const size = columns.reduce((sum, [, { byteLength }]) => sum + padded(byteLength), start);
  const bytes = new Uint8Array(size).fill(0x20, 8, start);
  bytes.set([0x57, 0x43, 0x4f, 0x4c]);
  new DataView(bytes.buffer).setUint32(4, start - 8, true);
  bytes.set(text, 8);
  let at = start;
  for (const [, { buffer, byteOffset, byteLength }] of columns) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += padded(byteLength);
  }
  return bytes.buffer;
}

interface SeriesPart {
  series: object[];
}

// Several series as one answer: x0, low0, ..., x1, ...
function joined(
  parts: (Columns<SeriesPart> | null)[],
  names: readonly string[],
  missing: (index: number) => object,
): ArrayBuffer {
  const series = parts.map((part, i) => part?.header.series[0] ?? missing(i));
  const columns = parts.flatMap((part, i) =>
    names.map((name): [string, Column] => [
      `${name}${i}`,
      part?.column(`${name}0`) ?? new Float64Array(),
    ]),
  );
  const first = parts.find((part) => part !== null);
  return writeColumns({ ...first?.header, series }, columns);
}

const refusal = (status: number, message: string): Response =>
  new Response(JSON.stringify({ message }), { status });

export class Exported {
  private readonly places = new Map<string, [number, number]>();

  constructor(
    private readonly index: Index,
    private readonly bytes: ArrayBuffer,
  ) {
    for (const [key, first, length] of index.answers) this.places.set(key, [first, length]);
  }

  get run(): string {
    return this.index.run;
  }

  get about(): { exported: string; version: string; leftOut: readonly string[] } {
    const { exported, version, left_out } = this.index;
    return { exported, version, leftOut: left_out };
  }

  // Why a panel cannot be shown; '' if it can.
  missing(panel: string): string {
    return MISSING.includes(panel) ? 'It is not part of an exported page.' : '';
  }

  // In place of fetch().
  readonly fetch = (address: string, init: RequestInit = {}): Promise<Response> =>
    Promise.resolve(this.answer(address, init.method ?? 'GET'));

  private answer(address: string, method: string): Response {
    const { pathname, searchParams } = new URL(address, 'http://exported');
    const path = pathname.slice(BASE.length);
    if (method !== 'GET') return refusal(403, 'this is an exported page');
    if (path === 'session') return new Response(JSON.stringify(this.session()));
    const run = `runs/${encodeURIComponent(this.run)}`;
    if (path !== run && !path.startsWith(`${run}/`)) return this.none();
    return this.ofRun(path.slice(run.length + 1), searchParams);
  }

  private session(): Session {
    return { user: '', scopes: ['read'], version: this.index.version, read_only: '' };
  }

  private ofRun(what: string, query: URLSearchParams): Response {
    if (WHOLE_ONLY.includes(what) && query.has('from'))
      return refusal(404, 'an exported page has this for the whole run only');
    if (what === 'series') return this.series(query);
    if (what === 'metrics/series') return this.metrics(query);
    const bytes = this.find(keyOf(what, query, this.index.worker));
    if (!bytes) return this.none();
    if (what !== 'logs') return new Response(bytes);
    const log = JSON.parse(new TextDecoder().decode(bytes)) as LogPage;
    return new Response(JSON.stringify(partOfLog(log, query)));
  }

  private series(query: URLSearchParams): Response {
    const statistics = query.getAll('statistic');
    const tensors = query.getAll('tensor');
    const one = (i: number): [string, string] => [
      tensors[i] ?? '',
      statistics.length > 1 ? (statistics[i] ?? '') : (statistics[0] ?? ''),
    ];
    const parts = tensors.map((_, i) => {
      const asked = new URLSearchParams(query);
      const [tensor, statistic] = one(i);
      asked.set('tensor', tensor);
      asked.set('statistic', statistic);
      return this.columns('series', asked);
    });
    if (parts.every((part) => part === null)) return this.none();
    const missing = (i: number): object => {
      const [tensor, statistic] = one(i);
      const mode = query.get('mode') ?? 'GLOBAL';
      return { tensor, statistic, worker: '', mode, found: false, steps_per_point: 1 };
    };
    return new Response(joined(parts, ['x', 'low', 'high'], missing));
  }

  private metrics(query: URLSearchParams): Response {
    const keys = query.getAll('key');
    const parts = keys.map((key) => {
      const asked = new URLSearchParams(query);
      asked.set('key', key);
      return this.columns('metrics/series', asked);
    });
    if (parts.every((part) => part === null)) return this.none();
    const missing = (i: number): object => ({ key: keys[i], found: false, unit: '' });
    return new Response(joined(parts, ['x', 'low', 'mean', 'high'], missing));
  }

  private columns(what: string, query: URLSearchParams): Columns<SeriesPart> | null {
    const bytes = this.find(keyOf(what, query, this.index.worker));
    return bytes ? readColumns<SeriesPart>(bytes) : null;
  }

  private find(key: string): ArrayBuffer | null {
    const place = this.places.get(key);
    return place ? this.bytes.slice(place[0], place[0] + place[1]) : null;
  }

  private none(): Response {
    return refusal(404, 'not part of this exported page; open the run in the dashboard to see it');
  }
}

// packed: a length, the index and the bytes of all answers, compressed, in base64.
export async function unpack(packed: string): Promise<Exported> {
  const compressed = Uint8Array.from(atob(packed.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const all = await new Response(stream).arrayBuffer();
  const length = new DataView(all).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(new Uint8Array(all, 8, length))) as Index;
  return new Exported(index, all.slice(8 + length));
}

// The run in this page; null: the page is that of a server.
export async function exportedRun(): Promise<Exported | null> {
  const element = document.getElementById(ELEMENT);
  return element ? unpack(element.textContent) : null;
}
