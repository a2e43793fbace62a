// Live events from the server. Reconnects after server restarts and after a laptop's sleep.

import { BASE } from './client';
import { EventStream } from './event_stream';
import type { LiveEvent } from './types';

export interface LiveListener {
  silent?: boolean; // There is no server.
  heard: (event: LiveEvent) => void;
  stateChanged: (live: Live) => void;
  // A connection attempt failed; the session may have expired.
  failed: () => void;
}

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'offline';

const NAMES = ['hello', 'runs', 'run', 'finding', 'steps', 'metrics', 'timeline'] as const;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15000;
const OFFLINE_AFTER_MS = 20000;
// A timer that fires this late means the machine slept, and the connection may be dead unnoticed.
const TICK_MS = 5000;
const SLEPT_MS = 20000;
// Browsers allow six connections per server. Hidden pages release theirs for the visible ones.
const REST_AFTER_MS = 30000;

export class Live {
  state: LiveState = 'connecting';
  since = Date.now(); // When this state began; for 'offline': when the connection was lost.

  private source: EventStream | null = null;
  private failures = 0;
  private wasLive = false; // The server has greeted us at least once.
  private closed = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private lastTick = Date.now();
  private doubted = false; // The machine slept since the connection was made.
  private resting = false; // The page is hidden: no connection, and no attempts.
  private hidden: ReturnType<typeof setTimeout> | undefined;
  private readonly ticker = setInterval(() => this.tick(), TICK_MS);
  private readonly awake = (): void => {
    clearTimeout(this.hidden);
    if (document.visibilityState === 'visible') this.wake();
    else this.hidden = setTimeout(() => this.rest(), REST_AFTER_MS);
  };

  // run: the run to follow; null: only the list of runs.
  constructor(
    private readonly run: string | null,
    private readonly listener: LiveListener,
  ) {
    if (listener.silent) {
      this.close();
      return;
    }
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

  // Immediately, ignoring the backoff.
  reconnect(): void {
    if (this.resting) this.since = Date.now(); // A resting connection was not lost.
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
    const source = new EventStream(
      `${BASE}live${this.run === null ? '' : `?run=${encodeURIComponent(this.run)}`}`,
      {
        opened: () => this.opened(),
        heard: (name, data) => this.received(name, data),
        failed: () => this.failed(source),
      },
    );
    this.source = source;
  }

  private opened(): void {
    this.failures = 0;
    this.become('live', Date.now());
  }

  private received(name: string, text: string): void {
    const event = NAMES.find((known) => known === name);
    if (!event) return;
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      return; // A newer server may use another format; the page stays correct without the event.
    }
    if (typeof data !== 'object' || data === null) return;
    this.listener.heard({ event, data } as LiveEvent);
    if (event === 'hello') this.greeted();
  }

  // The server reports changes from now on.
  private greeted(): void {
    if (this.wasLive) this.listener.heard({ event: 'back', data: {} });
    this.wasLive = true;
  }

  // Tries again, more slowly each time.
  private failed(source: EventStream): void {
    if (source !== this.source) return;
    this.drop();
    this.lose();
    const wait =
      Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.failures) * (0.75 + Math.random() / 2);
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
    // Timers of hidden pages are late even without sleep; the connection is checked when the page
    // is visible.
    if (this.doubted && document.visibilityState === 'visible') this.reconnect();
    else if (this.state !== 'live' && !this.resting) this.lose();
  }

  private rest(): void {
    this.resting = true;
    clearTimeout(this.retry);
    this.drop();
    this.lose();
  }

  // The page is visible again, or the network is back.
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
