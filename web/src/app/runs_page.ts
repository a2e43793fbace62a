// The list of runs, kept up to date.

import { Live } from '../api/live';
import { openRuns } from '../panels/runs';
import type { Page, PageHost } from './page';

export function openRunsPage(host: PageHost, into: HTMLElement): Page {
  host.shell.setWhere([], 'Runs');
  const view = openRuns(host.context(), into);
  const live: Live = new Live(null, {
    heard: (event) => {
      if (event.event === 'hello') host.heardVersion(event.data.version);
      view.live?.(event);
    },
    stateChanged: () => host.setLive(live),
    failed: () => host.checkSession(),
  });
  host.setLive(live);
  return {
    navigate: (route) => {
      if (route.page !== 'runs') return false;
      view.navigate?.(route.params);
      return true;
    },
    close: () => {
      live.close();
      view.close();
    },
  };
}
