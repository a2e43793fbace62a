import { afterEach, describe, expect, test, vi } from 'vitest';
import { addressOf, below, Client } from './client';
import { keepSessionKey, sessionKey } from './session_key';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

function answering(respond: Fetch): ReturnType<typeof vi.fn<Fetch>> {
  const fetched = vi.fn(respond);
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

const json = (value: unknown, status = 200): Promise<Response> =>
  Promise.resolve(new Response(JSON.stringify(value), { status }));

describe('addresses', () => {
  test('names of runs are escaped', () => {
    expect(below('a/b ?#%')).toBe('runs/a%2Fb%20%3F%23%25');
    expect(below('r', 'series')).toBe('runs/r/series');
  });

  test('queries', () => {
    const query = { tensor: ['a&b', 'c'], points: 0, mode: '', worker: undefined, empty: [] };
    expect(addressOf('x', query)).toBe('/-/api/x?tensor=a%26b&tensor=c&points=0');
    expect(addressOf('x')).toBe('/-/api/x');
  });
});

describe('get', () => {
  test('a value', async () => {
    const fetched = answering(() => json([1, 2]));
    expect(await new Client().get('runs')).toEqual({ ok: true, value: [1, 2] });
    expect(fetched.mock.calls[0]?.[0]).toBe('/-/api/runs');
  });

  test('a refusal with a message', async () => {
    answering(() => json({ message: 'no such run' }, 404));
    const error = { status: 404, message: 'no such run' };
    expect(await new Client().get('runs/x')).toEqual({ ok: false, error });
  });

  test.each(['', 'null', '<html>', '{}'])('a refusal with the body %j', async (body) => {
    answering(() => Promise.resolve(new Response(body, { status: 502 })));
    const error = { status: 502, message: 'the server answered 502' };
    expect(await new Client().get('runs')).toEqual({ ok: false, error });
  });

  test('an expired token is reported', async () => {
    answering(() => json({ message: 'log in' }, 401));
    const refused = vi.fn();
    const answer = await new Client(refused).get('runs');
    expect(refused).toHaveBeenCalledTimes(1);
    expect(answer).toMatchObject({ ok: false, error: { status: 401 } });
  });

  test('no network', async () => {
    answering(() => Promise.reject(new TypeError('Failed to fetch')));
    const error = { status: 0, message: 'cannot reach the server (Failed to fetch)' };
    expect(await new Client().get('runs')).toEqual({ ok: false, error });
  });

  test('a connection that is lost in the middle of the answer', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.error(new Error('connection reset')),
    });
    answering(() => Promise.resolve(new Response(body)));
    const answer = await new Client().get('runs');
    expect(answer).toMatchObject({ ok: false, error: { status: 0 } });
  });

  test('an answer that is not JSON does not mean that the server is away', async () => {
    answering(() => Promise.resolve(new Response('<html>')));
    const answer = await new Client().get('runs');
    expect(answer).toMatchObject({ ok: false, error: { status: 200 } });
    expect(answer.ok ? '' : answer.error.message).toMatch(/^cannot read the server's answer \(/);
  });
});

describe('columns', () => {
  test('bytes without columns', async () => {
    answering(() => Promise.resolve(new Response('12345678')));
    const message = "cannot read the server's answer (the response has no columns)";
    expect(await new Client().columns('x')).toEqual({ ok: false, error: { status: 200, message } });
  });
});

describe('send', () => {
  test('a body', async () => {
    const fetched = answering(() => Promise.resolve(new Response('')));
    const answer = await new Client().send('POST', 'runs/r/stop', { rule: 'x' });
    expect(answer).toEqual({ ok: true, value: undefined });
    const init = fetched.mock.calls[0]?.[1];
    expect(init).toMatchObject({ method: 'POST', body: '{"rule":"x"}' });
  });

  test('nothing', async () => {
    const fetched = answering(() => Promise.resolve(new Response('')));
    await new Client().send('DELETE', 'session');
    expect(fetched.mock.calls[0]?.[1].body).toBeNull();
  });
});

describe('sessions', () => {
  afterEach(() => keepSessionKey(''));

  test('begin with the token and are sent with every request', async () => {
    const fetched = answering(() => json({ session: 'id.secret' }));
    const client = new Client();
    expect(await client.signIn('token')).toEqual({ ok: true, value: undefined });
    expect(fetched.mock.calls[0]?.[1].body).toBe('{"token":"token"}');
    await client.get('runs');
    expect(fetched.mock.calls[1]?.[1].headers).toEqual({ 'X-Warden-Session': 'id.secret' });
    await client.send('POST', 'runs/r/stop');
    expect(fetched.mock.calls[2]?.[1].headers).toMatchObject({ 'X-Warden-Session': 'id.secret' });
  });

  test('end with the sign-out', async () => {
    keepSessionKey('id.secret');
    const fetched = answering(() => Promise.resolve(new Response(null, { status: 204 })));
    await new Client().signOut();
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({
      method: 'DELETE',
      headers: { 'X-Warden-Session': 'id.secret' },
    });
    expect(sessionKey()).toBe('');
  });

  test('a wrong token begins none', async () => {
    answering(() => json({ message: 'wrong token' }, 401));
    expect(await new Client().signIn('x')).toMatchObject({ ok: false, error: { status: 401 } });
    expect(sessionKey()).toBe('');
  });

  test('links have a ticket and no key', async () => {
    keepSessionKey('id.secret');
    const fetched = answering(() => json({ ticket: 'id.signed' }));
    const answer = await new Client().linkTo('runs/r/reports/a', { download: 1 });
    const value = '/-/api/runs/r/reports/a?download=1&ticket=id.signed';
    expect(answer).toEqual({ ok: true, value });
    expect(fetched.mock.calls[0]?.[1].body).toBe('{"path":"/-/api/runs/r/reports/a"}');
  });
});

describe('ahead', () => {
  test('the next get takes the answer, once', async () => {
    const fetched = answering(() => json('early'));
    const client = new Client();
    client.ahead('tensors');
    expect(await client.get('tensors')).toEqual({ ok: true, value: 'early' });
    expect(fetched).toHaveBeenCalledTimes(1);
    await client.get('tensors');
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  test('the query is part of it', async () => {
    const fetched = answering(() => json('first'));
    const client = new Client();
    client.ahead('runs', { first: 200 });
    expect(fetched.mock.calls[0]?.[0]).toBe('/-/api/runs?first=200');
    await client.get('runs');
    expect(fetched).toHaveBeenCalledTimes(2);
    await client.get('runs', { query: { first: 200 } });
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  test('a dropped or different request is not served from it', async () => {
    const fetched = answering(() => json(1));
    const client = new Client();
    const drop = client.ahead('tensors');
    await client.get('tensors', { query: { q: 'x' } });
    expect(fetched).toHaveBeenCalledTimes(2);
    drop();
    await client.get('tensors');
    expect(fetched).toHaveBeenCalledTimes(3);
  });
});
