import { expect, test } from 'vitest';
import { Client } from './client';
import { readColumns } from './columns';
import { Exported, keyOf, unpack, writeColumns } from './exported';

const RUN = 'a b.12';
const series = (tensor: string, values: number[]): ArrayBuffer =>
  writeColumns({ series: [{ tensor, found: true }], ingested: { done: true } }, [
    ['x0', Float64Array.from(values, (_, i) => i)],
    ['low0', Float64Array.from(values)],
    ['high0', Float64Array.from(values)],
  ]);
const json = (value: unknown): ArrayBuffer =>
  new TextEncoder().encode(JSON.stringify(value)).buffer;

function exported(answers: Record<string, ArrayBuffer>): Exported {
  const parts = Object.entries(answers);
  const bytes: number[] = [];
  const places = parts.map(([key, body]): [string, number, number] => {
    const first = bytes.length;
    bytes.push(...new Uint8Array(body), ...Array<number>((8 - (body.byteLength % 8)) % 8).fill(0));
    return [key, first, body.byteLength];
  });
  const index = { run: RUN, name: 'a b', exported: '', version: '1', worker: 'worker_0' };
  return new Exported({ ...index, left_out: [], answers: places }, new Uint8Array(bytes).buffer);
}

const clientOf = (run: Exported): Client => new Client(undefined, run.fetch);
const at = (what = ''): string => `runs/${encodeURIComponent(RUN)}${what ? `/${what}` : ''}`;

test('a key has what the answer depends on, and nothing of the screen', () => {
  const key = (query: Record<string, string>): string =>
    keyOf('series', new URLSearchParams(query), 'worker_0');
  const plain = 'series?statistic=mean&tensor=a%2Fb%20%28c%29%27';
  const query = { tensor: "a/b (c)'", statistic: 'mean' };
  expect(key(query)).toBe(plain);
  const screen = { from: '3', to: '9', points: '480', worker: 'worker_0', mode: 'GLOBAL' };
  expect(key({ ...query, ...screen, x: 'global' })).toBe(plain);
  expect(key({ ...query, x: 'mode' })).toBe(plain);
  expect(key({ ...query, mode: 'EVAL', x: 'global' })).toBe(
    'series?mode=EVAL&statistic=mean&tensor=a%2Fb%20%28c%29%27&x=global',
  );
  expect(key({ ...query, worker: 'worker_1' })).toBe(`${plain}&worker=worker_1`);
});

test('the client gets answers from the page', async () => {
  const client = clientOf(exported({ '': json({ id: RUN }), tensors: json({ tensors: [] }) }));
  expect(await client.get(at())).toEqual({ ok: true, value: { id: RUN } });
  expect(await client.get(at('tensors'))).toEqual({ ok: true, value: { tensors: [] } });
  expect(await client.get('session')).toMatchObject({ ok: true, value: { scopes: ['read'] } });
  expect(await client.get(at('value'))).toMatchObject({ ok: false, error: { status: 404 } });
  expect(await client.get('runs')).toMatchObject({ ok: false, error: { status: 404 } });
  expect(await client.send('POST', at('stop'), {})).toMatchObject({ error: { status: 403 } });
});

test('series are joined as they are asked for', async () => {
  const client = clientOf(
    exported({
      'series?statistic=mean&tensor=a': series('a', [1, 2, 3]),
      'series?statistic=l2&tensor=b': series('b', [4]),
    }),
  );
  const query = { tensor: ['b', 'c', 'a'], statistic: ['l2', 'l2', 'mean'], points: 480 };
  const answer = await client.columns<{ series: object[] }>(at('series'), { query });
  if (!answer.ok) throw new Error(answer.error.message);
  const { header, column } = answer.value;
  expect(header.series).toMatchObject([{ tensor: 'b' }, { found: false }, { tensor: 'a' }]);
  expect([...column('low0')]).toEqual([4]);
  expect([...column('x1')]).toEqual([]);
  expect([...column('high2')]).toEqual([1, 2, 3]);
  const none = await client.columns(at('series'), { query: { tensor: 'c', statistic: 'l2' } });
  expect(none).toMatchObject({ ok: false, error: { status: 404 } });
});

test('what would be wrong for a part of the run is not answered for one', async () => {
  const client = clientOf(exported({ 'metrics/summary': json([]) }));
  expect(await client.get(at('metrics/summary'))).toMatchObject({ ok: true });
  const query = { from: 1, to: 2 };
  expect(await client.get(at('metrics/summary'), { query })).toMatchObject({ ok: false });
});

test('a log has only the lines that are in the page', async () => {
  const line = { time: 1, text: 'x', position: 900 };
  const log = { lines: [line], previous: '900', next: '910', older: true, newer: false };
  const told = { ...log, kept: [[0, 910]], hosts: ['local'] };
  const client = clientOf(exported({ logs: json(told) }));
  const value = { ...told, older: false, kept: [[900, 910]] };
  expect(await client.get(at('logs'))).toEqual({ ok: true, value });
  const after = await client.get(at('logs'), { query: { after: '910' } });
  expect(after).toEqual({ ok: true, value: { ...value, lines: [] } });
});

test('columns are written as they are read', () => {
  const columns = readColumns<{ a: string }>(
    writeColumns({ a: 'ä' }, [
      ['u', Uint8Array.of(1, 2, 3)],
      ['f', Float32Array.of(0.5)],
      ['d', Float64Array.of(NaN, 2)],
    ]),
  );
  expect(columns.header.a).toBe('ä');
  expect([...columns.column('u')]).toEqual([1, 2, 3]);
  expect([...columns.column('f')]).toEqual([0.5]);
  expect([...columns.column('d')]).toEqual([NaN, 2]);
});

test('the page is unpacked', async () => {
  const index = new TextEncoder().encode(
    JSON.stringify({ run: 'r', left_out: ['x'], answers: [['', 0, 2]] }).padEnd(64),
  );
  const all = new Uint8Array(8 + index.length + 2);
  new DataView(all.buffer).setUint32(0, index.length, true);
  all.set(index, 8);
  all.set([0x7b, 0x7d], 8 + index.length);
  const stream = new Blob([all]).stream().pipeThrough(new CompressionStream('gzip'));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  const run = await unpack(`\n${btoa(String.fromCharCode(...packed))}\n`);
  expect(run.run).toBe('r');
  expect(run.about.leftOut).toEqual(['x']);
  expect(await clientOf(run).get('runs/r')).toEqual({ ok: true, value: {} });
});
