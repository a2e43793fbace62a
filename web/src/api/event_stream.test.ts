import { afterEach, describe, expect, test, vi } from 'vitest';
import { EventParser, EventStream } from './event_stream';
import { keepSessionKey } from './session_key';

afterEach(() => keepSessionKey(''));

function parsed(...pieces: string[]): [string, string][] {
  const events: [string, string][] = [];
  const parser = new EventParser((name, data) => events.push([name, data]));
  for (const piece of pieces) parser.take(piece);
  return events;
}

describe('events', () => {
  test('with names, comments and several lines', () => {
    expect(parsed('event: run\ndata: {"a":1}\n\n:\n\ndata:x\ndata: y\n\n')).toEqual([
      ['run', '{"a":1}'],
      ['message', 'x\ny'],
    ]);
  });

  test('cut anywhere', () => {
    const text = 'event: steps\r\ndata: {"last":7}\r\n\r\nevent: x\n\n';
    expect(parsed(...text)).toEqual([['steps', '{"last":7}']]);
  });
});

describe('a stream', () => {
  const listen = (respond: () => Promise<Response>) => {
    const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(respond);
    vi.stubGlobal('fetch', fetched);
    const listener = { opened: vi.fn(), heard: vi.fn(), failed: vi.fn() };
    return { fetched, listener, stream: new EventStream('/-/api/live', listener) };
  };

  test('sends the session and ends once', async () => {
    keepSessionKey('id.secret');
    const { fetched, listener } = listen(() => Promise.resolve(new Response('data: 1\n\n')));
    await vi.waitFor(() => expect(listener.failed).toHaveBeenCalledTimes(1));
    expect(listener.opened).toHaveBeenCalledTimes(1);
    expect(listener.heard).toHaveBeenCalledWith('message', '1');
    expect(fetched.mock.calls[0]?.[1].headers).toMatchObject({ 'X-Warden-Session': 'id.secret' });
  });

  test('that is refused never opens', async () => {
    const { listener } = listen(() => Promise.resolve(new Response('', { status: 401 })));
    await vi.waitFor(() => expect(listener.failed).toHaveBeenCalledTimes(1));
    expect(listener.opened).not.toHaveBeenCalled();
  });

  test('that is closed says nothing more', async () => {
    const { listener, stream } = listen(() => Promise.reject(new Error('aborted')));
    stream.close();
    await new Promise((done) => setTimeout(done, 10));
    expect(listener.failed).not.toHaveBeenCalled();
  });
});
