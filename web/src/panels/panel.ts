// The interface of a panel: a folder here whose index.ts exports a RunPanel.

import type { Client } from '../api/client';
import type { LiveEvent, RunDetail, Session } from '../api/types';

export interface PanelContext {
  readonly client: Client;
  readonly session: Session;
  // This panel's URL parameters: everything that a link must restore.
  readonly params: URLSearchParams;
  // Writes them to the URL; without `step` no history entry is added.
  setParams: (params: URLSearchParams, step?: boolean) => void;
  // Navigates to '#/runs', '#/run/ID/tensors?tensor=T&at=420', ...
  go: (address: string) => void;
  // Tells screen readers, and shows the words for a while.
  announce: (words: string, tone?: 'plain' | 'warning') => void;
}

export interface RunContext extends PanelContext {
  readonly run: RunDetail; // The run when the panel was opened; update() brings changes.
}

// An open panel.
export interface View {
  // The run has changed. (Not called for panels without a run.)
  update?: (run: RunDetail) => void;
  live?: (event: LiveEvent) => void;
  // The context has its session now, which the view did not wait for.
  sessionCame?: () => void;
  // The parameters changed from outside: back and forward.
  navigate?: (params: URLSearchParams) => void;
  close: () => void; // The element is removed afterwards.
}

export interface RunPanel {
  readonly id: string; // The folder's name; also used in URLs: '#/run/ID/<id>'.
  readonly title: string;
  readonly subject: string; // What it shows, as in “No timeline for this run”.
  // Whether the run has nothing of the kind, so that it is not offered.
  hidden?: (run: RunDetail) => boolean;
  // Why the run has no data for this panel, as a sentence; '' if it has.
  missing: (run: RunDetail) => string;
  // The API path that the view requests first; it is requested together with the run.
  first?: (run: string) => string;
  open: (context: RunContext, into: HTMLElement) => View;
}
