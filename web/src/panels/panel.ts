// What every panel is: a folder of this folder whose index.ts exports one of these.

import type { Client } from '../api/client';
import type { LiveEvent, RunDetail, Session } from '../api/types';

export interface PanelContext {
  readonly client: Client;
  readonly session: Session;
  // The address's parameters of this panel: everything that a deep link must bring back.
  readonly params: URLSearchParams;
  // Writes them into the address; without `step` no entry of the history is made.
  setParams(params: URLSearchParams, step?: boolean): void;
  // Goes to another place: '#/runs', '#/run/ID/tensors?tensor=T&at=420'.
  go(address: string): void;
  // Says it to those who cannot see it, and shows it for a while.
  announce(words: string, tone?: 'plain' | 'warning'): void;
}

export interface RunContext extends PanelContext {
  readonly run: RunDetail; // As it was when the panel was opened; update() brings later ones.
}

// A panel on the screen.
export interface View {
  // The run has changed. (Panels without a run are not called.)
  update?(run: RunDetail): void;
  live?(event: LiveEvent): void;
  // The parameters have changed from outside: back and forward.
  navigate?(params: URLSearchParams): void;
  close(): void; // Its element is removed afterwards.
}

export interface RunPanel {
  readonly id: string; // Equals the folder's name; also in addresses: '#/run/ID/<id>'.
  readonly title: string;
  // Why there is nothing to see of this run, as a sentence; '' if there is.
  missing(run: RunDetail): string;
  // What its view asks the server for first, of which run: it is asked for together with the run.
  first?(run: string): string;
  open(context: RunContext, into: HTMLElement): View;
}
