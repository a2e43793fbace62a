// The list of runs, kept up to date.

import { Live } from '../api/live';
import { openRuns } from '../panels/runs';
import type { Page, PageHost } from './page';

export function openRunsPage(host: PageHost, into: HTMLElement): Page {
  host.shell.setWhere([], 'Runs');
  let live: Live | null = null;
  const follow = (): void => {
    const opened: Live = new Live(null, {
      heard: (event) => {
        if (event.event === 'hello') host.heardVersion(event.data.version);
        view.live?.(event);
      },
      stateChanged: () => host.setLive(opened),
      failed: () => host.checkSession(),
    });
    live = opened;
    host.setLive(opened);
  };
  const view = openRuns(host.context(), into, follow);
  return {
    navigate: (route) => {
      if (route.page !== 'runs') return false;
      view.navigate?.(route.params);
      return true;
    },
    sessionCame: () => view.sessionCame?.(),
    close: () => {
      live?.close();
      view.close();
    },
  };
}
