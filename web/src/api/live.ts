// What the server tells by itself. Survives restarts of the server and laptops that sleep.

import { BASE } from './client';
import type { LiveEvent } from './types';

export interface LiveListener {
  heard(event: LiveEvent): void;
  stateChanged(live: Live): void;
  // Once more there was no connection. An EventSource does not say why: the token may be no longer good.
  failed(): void;
}

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'offline';

const NAMES = ['hello', 'runs', 'run', 'finding', 'steps', 'metrics', 'timeline'] as const;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15000;
const OFFLINE_AFTER_MS = 20000;
// A timer that comes this much too late has slept: the connection may be dead without knowing it.
const TICK_MS = 5000;
const SLEPT_MS = 20000;
// A browser has six connections to a server: pages that nobody looks at must not keep them from those in sight.
const REST_AFTER_MS = 30000;

export class Live {
  state: LiveState = 'connecting';
  since = Date.now(); // When the state began; of 'offline': when the connection was lost.

  private source: EventSource | null = null;
  private failures = 0;
  private wasLive = false; // There was a greeting, from this server or from one before.
  private closed = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private lastTick = Date.now();
  private doubted = false; // There was a sleep since the connection was made.
  private resting = false; // Nobody looks: there is no connection, and none is tried.
  private hidden: ReturnType<typeof setTimeout> | undefined;
  private readonly ticker = setInterval(() => this.tick(), TICK_MS);
  private readonly awake = (): void => {
    clearTimeout(this.hidden);
    if (document.visibilityState === 'visible') this.wake();
    else this.hidden = setTimeout(() => this.rest(), REST_AFTER_MS);
  };

  // run: of which to hear; null: of the list alone.
  constructor(
    private readonly run: string | null,
    private readonly listener: LiveListener,
  ) {
    document.addEventListener('visibilitychange', this.awake);
    window.addEventListener('online', this.awake);
    this.connect();
    if (document.hidden) this.awake();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.hidden);
    clearInterval(this.ticker);
    document.removeEventListener('visibilitychange', this.awake);
    window.removeEventListener('online', this.awake);
    this.drop();
  }

  // At once, whatever the backoff says.
  reconnect(): void {
    if (this.resting) this.since = Date.now(); // Who rests has lost nothing.
    this.lose();
    this.failures = 0;
    this.doubted = false;
    this.resting = false;
    this.connect();
  }

  private connect(): void {
    clearTimeout(this.retry);
    if (this.closed || this.resting) return;
    this.drop();
    const source = new EventSource(`${BASE}live${this.run === null ? '' : `?run=${encodeURIComponent(this.run)}`}`);
    this.source = source;
    source.onopen = (): void => this.opened();
    source.onerror = (): void => this.failed(source);
    for (const name of NAMES) {
      source.addEventListener(name, (message) => this.received(name, message.data));
    }
  }

  private opened(): void {
    this.failures = 0;
    this.become('live', Date.now());
  }

  private received(event: (typeof NAMES)[number], text: unknown): void {
    let data: unknown;
    try {
      data = JSON.parse(String(text));
    } catch {
      return; // A later version may say it in another way; what is shown stays right without.
    }
    if (typeof data !== 'object' || data === null) return;
    this.listener.heard({ event, data } as LiveEvent);
    if (event === 'hello') this.greeted();
  }

  // Changes are told from now on.
  private greeted(): void {
    if (this.wasLive) this.listener.heard({ event: 'back', data: {} });
    this.wasLive = true;
  }

  // The browser's own retries neither slow down nor end after some answers: ours do both.
  private failed(source: EventSource): void {
    if (source !== this.source) return;
    this.drop();
    this.lose();
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.failures) * (0.75 + Math.random() / 2);
    this.failures += 1;
    this.listener.failed();
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.connect(), wait);
  }

  private lose(): void {
    if (this.state === 'live') {
      this.become('reconnecting', Date.now());
      this.listener.heard({ event: 'lost', data: {} });
    } else if (this.state !== 'offline' && Date.now() - this.since > OFFLINE_AFTER_MS) {
      this.become('offline', this.since);
    }
  }

  private tick(): void {
    const late = Date.now() - this.lastTick - TICK_MS;
    this.lastTick = Date.now();
    if (late > SLEPT_MS) this.doubted = true;
    // Timers of a page that nobody sees are late without any sleep: what is true is found out when somebody looks.
    if (this.doubted && document.visibilityState === 'visible') this.reconnect();
    else if (this.state !== 'live' && !this.resting) this.lose();
  }

  private rest(): void {
    this.resting = true;
    clearTimeout(this.retry);
    this.drop();
    this.lose();
  }

  // The page is seen again, or the network is there again.
  private wake(): void {
    if (Date.now() - this.lastTick > TICK_MS + SLEPT_MS) this.doubted = true;
    this.lastTick = Date.now();
    if (this.doubted || this.state !== 'live') this.reconnect();
  }

  private become(state: LiveState, since: number): void {
    if (this.state === state) return;
    this.state = state;
    this.since = since;
    this.listener.stateChanged(this);
  }

  private drop(): void {
    this.source?.close();
    this.source = null;
  }
}
