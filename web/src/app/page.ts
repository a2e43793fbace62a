// A page: what is between the bar and the end. The app has one open at a time.

import type { Client } from '../api/client';
import type { Live } from '../api/live';
import type { Session } from '../api/types';
import type { PanelContext } from '../panels/panel';
import type { Route } from './router';
import type { Shell } from './shell';

export interface Page {
  // The address has changed. False: not mine, another page is needed.
  navigate(route: Route): boolean;
  close(): void;
}

// What the app is to its pages.
export interface PageHost {
  readonly client: Client;
  readonly session: Session;
  readonly shell: Shell;
  context(): PanelContext;
  announce(words: string, tone?: 'plain' | 'warning'): void;
  setLive(live: Live | null, paused?: boolean): void;
  checkSession(): void;
  heardVersion(version: string): void; // Of the server, at every connection.
}
