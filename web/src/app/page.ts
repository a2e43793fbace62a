// A page: everything below the top bar. The app has one page open at a time.

import type { Client } from '../api/client';
import type { Exported } from '../api/exported';
import type { Live } from '../api/live';
import type { Session } from '../api/types';
import type { PanelContext } from '../panels/panel';
import type { Route } from './router';
import type { Shell } from './shell';

export interface Page {
  // The URL changed. False: this page cannot show it, another one is needed.
  navigate: (route: Route) => boolean;
  // The host has its session now, which the page did not wait for.
  sessionCame?: () => void;
  close: () => void;
}

// What the app offers its pages.
export interface PageHost {
  readonly client: Client;
  readonly session: Session;
  readonly exported: Exported | null; // The run in the page, if there is no server.
  readonly shell: Shell;
  context: () => PanelContext;
  announce: (words: string, tone?: 'plain' | 'warning') => void;
  setLive: (live: Live | null, paused?: boolean) => void;
  checkSession: () => void;
  heardVersion: (version: string) => void; // The server's version, on every connection.
}
