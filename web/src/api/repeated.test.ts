import { expect, test, vi } from 'vitest';
import { Client } from './client';
import { Repeated } from './repeated';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

// A server that has `value`, and what it is asked.
function serving(state: { value: string }) {
  const asked: [string, string | undefined][] = [];
  const respond: Fetch = (url, init) => {
    const tag = `"${state.value}"`;
    const known = (init.headers as Record<string, string>)['If-None-Match'];
    asked.push([url, known]);
    const [body, status] = known === tag ? [null, 304] : [JSON.stringify(state.value), 200];
    return Promise.resolve(new Response(body, { status, headers: { ETag: tag } }));
  };
  vi.stubGlobal('fetch', respond);
  return asked;
}

test('only what has changed is sent again', async () => {
  const state = { value: 'a' };
  const asked = serving(state);
  const runs = new Repeated<string>(new Client(), 'runs');
  expect(await runs.ask()).toEqual({ ok: true, value: 'a' });
  expect(await runs.ask()).toEqual({ ok: true, value: null });
  state.value = 'b';
  expect(await runs.ask()).toEqual({ ok: true, value: 'b' });
  expect(await runs.ask()).toEqual({ ok: true, value: null });
  expect(asked.map(([, known]) => known)).toEqual([undefined, '"a"', '"a"', '"b"']);
});

test('another query is another question', async () => {
  const asked = serving({ value: 'a' });
  const runs = new Repeated<string>(new Client(), 'runs');
  await runs.ask({ query: { first: 200 } });
  expect(await runs.ask()).toEqual({ ok: true, value: 'a' });
  expect(asked).toEqual([
    ['/-/api/runs?first=200', undefined],
    ['/-/api/runs', undefined],
  ]);
});

test('an answer that nobody takes comes again', async () => {
  const asked = serving({ value: 'a' });
  const runs = new Repeated<string>(new Client(), 'runs');
  const gone = new AbortController();
  gone.abort();
  await runs.ask({ signal: gone.signal });
  expect(await runs.ask()).toEqual({ ok: true, value: 'a' });
  expect(asked[1]?.[1]).toBeUndefined();
});

test('a forgotten answer comes again', async () => {
  serving({ value: 'a' });
  const runs = new Repeated<string>(new Client(), 'runs');
  await runs.ask();
  runs.forget();
  expect(await runs.ask()).toEqual({ ok: true, value: 'a' });
});

test('a refusal changes nothing', async () => {
  const state = { value: 'a' };
  serving(state);
  const runs = new Repeated<string>(new Client(), 'runs');
  await runs.ask();
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 500 })));
  expect(await runs.ask()).toMatchObject({ ok: false, error: { status: 500 } });
  serving(state);
  expect(await runs.ask()).toEqual({ ok: true, value: null });
});
