// Requests to the server. Every answer is a value or a Refusal to show; nothing is thrown.

import { type Columns, readColumns } from './columns';
import { keepSessionKey, sessionHeaders } from './session_key';

export interface Refusal {
  status: number; // 0: no response.
  message: string;
}

export type Answer<T> = { ok: true; value: T } | { ok: false; error: Refusal };

export type Query = Record<string, string | number | (string | number)[] | undefined>;

export type Fetcher = (address: string, init: RequestInit) => Promise<Response>;

export interface AskOptions {
  query?: Query;
  signal?: AbortSignal;
}

export interface Tagged<T> {
  tag: string;
  value: T;
}

export const BASE = '/-/api/';
const UNCHANGED = 304; // Only to requests with a tag.

function address(path: string, query: Query = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== '') pairs.append(name, String(one));
    }
  }
  const text = pairs.toString();
  return BASE + path + (text ? `?${text}` : '');
}

async function refusalOf(response: Response): Promise<Refusal> {
  const told = (await response.json().catch(() => null)) as { message?: string } | null;
  return {
    status: response.status,
    message: told?.message ?? `the server answered ${response.status}`,
  };
}

export class Client {
  private readonly early = new Map<string, Promise<Answer<unknown>>>();

  // refused: called for every 401: the page asks for the token again. fetcher: where answers come
  // from, if not from the server.
  constructor(
    private readonly refused: () => void = () => undefined,
    private readonly fetcher: Fetcher = (where, init) => fetch(where, init),
  ) {}

  // Requests now what the next get() of the same will need. The returned function drops the answer
  // if nobody used it, because it would be outdated later.
  ahead(path: string, query: Query = {}): () => void {
    const key = address(path, query);
    this.early.set(key, this.get(path, { query }));
    return () => this.early.delete(key);
  }

  // path: 'runs', or below(run, 'series').
  async get<T>(path: string, options: AskOptions = {}): Promise<Answer<T>> {
    const key = address(path, options.query);
    const early = this.early.get(key);
    if (early) {
      this.early.delete(key);
      return early as Promise<Answer<T>>;
    }
    return this.ask(
      path,
      options,
      {},
      (response) => response.text(),
      (text) => JSON.parse(text) as T,
    );
  }

  // As get(), unless the answer is still the one with the tag `known`: then the value is null, and
  // nothing was sent or parsed.
  async getChanged<T>(
    path: string,
    known: string,
    options: AskOptions = {},
  ): Promise<Answer<Tagged<T> | null>> {
    return this.ask(
      path,
      options,
      known === '' ? {} : { headers: { 'If-None-Match': known } },
      async (response) => ({
        tag: response.headers.get('ETag') ?? '',
        text: response.status === UNCHANGED ? null : await response.text(),
      }),
      ({ tag, text }) => (text === null ? null : { tag, value: JSON.parse(text) as T }),
    );
  }

  async columns<Header>(path: string, options: AskOptions = {}): Promise<Answer<Columns<Header>>> {
    return this.ask(
      path,
      options,
      {},
      (response) => response.arrayBuffer(),
      (bytes) => readColumns<Header>(bytes),
    );
  }

  async send(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<Answer<void>> {
    const nothing = (): undefined => undefined;
    return this.ask(path, {}, sent(method, body), () => Promise.resolve(), nothing);
  }

  // Begins a session, which all later requests belong to.
  async signIn(token: string): Promise<Answer<void>> {
    const answer = await this.post<{ session: string }>('session', { token });
    if (!answer.ok) return answer;
    keepSessionKey(answer.value.session);
    return { ok: true, value: undefined };
  }

  // Ends the session, also in other windows.
  async signOut(): Promise<Answer<void>> {
    const answer = await this.send('DELETE', 'session');
    if (answer.ok) keepSessionKey('');
    return answer;
  }

  // The URL of something for a link or a frame, to which no headers can be added.
  async linkTo(path: string, query: Query = {}): Promise<Answer<string>> {
    const answer = await this.post<{ ticket: string }>('session/ticket', { path: address(path) });
    if (!answer.ok) return answer;
    return { ok: true, value: address(path, { ...query, ticket: answer.value.ticket }) };
  }

  private post<T>(path: string, body: unknown): Promise<Answer<T>> {
    return this.ask(
      path,
      {},
      sent('POST', body),
      (response) => response.text(),
      (text) => JSON.parse(text) as T,
    );
  }

  // load: fails if the connection is lost. read: fails if the server sent something else.
  private async ask<Body, T>(
    path: string,
    options: AskOptions,
    init: RequestInit,
    load: (response: Response) => Promise<Body>,
    read: (body: Body) => T,
  ): Promise<Answer<T>> {
    let status = 0;
    let body: Body;
    try {
      const response = await this.fetcher(address(path, options.query), {
        ...init,
        headers: { ...(init.headers as Record<string, string>), ...sessionHeaders() },
        signal: options.signal ?? null,
      });
      if (response.status === 401) this.refused();
      if (!response.ok && response.status !== UNCHANGED)
        return { ok: false, error: await refusalOf(response) };
      ({ status } = response);
      body = await load(response);
    } catch (error) {
      // Aborted by the caller, or no network.
      return failed(0, 'cannot reach the server', error);
    }
    try {
      return { ok: true, value: read(body) };
    } catch (error) {
      return failed(status, "cannot read the server's answer", error);
    }
  }
}

const sent = (method: string, body?: unknown): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: body === undefined ? null : JSON.stringify(body),
});

const failed = (status: number, words: string, error: unknown): Answer<never> => ({
  ok: false,
  error: { status, message: `${words} (${(error as Error).message})` },
});

// Of a request by get(); a link needs Client.linkTo().
export const addressOf = (path: string, query: Query = {}): string => address(path, query);
// The API path of a run, or of something in it.
export const below = (run: string, what = ''): string =>
  `runs/${encodeURIComponent(run)}${what ? `/${what}` : ''}`;
