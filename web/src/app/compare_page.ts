// Several runs next to each other: '#/compare?a=ID&b=ID'.

import { Live } from '../api/live';
import { openCompare } from '../panels/compare';
import type { Page, PageHost } from './page';
import type { Route } from './router';

// 'a', 'b', 'c' ... are runs; other parameters belong to the panel.
function runsOf(params: URLSearchParams): string[] {
  const named = [...params].filter(([name, run]) => /^[a-z]$/.test(name) && run !== '');
  return named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, run]) => run);
}

export function openComparePage(host: PageHost, route: Route, into: HTMLElement): Page {
  host.shell.setWhere([{ words: 'Compare' }], 'Compare');
  const view = openCompare(host.context(), runsOf(route.params), into);
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
    navigate: (next) => {
      if (next.page !== 'compare' || !view.navigate) return false;
      view.navigate(next.params);
      return true;
    },
    close: () => {
      live.close();
      view.close();
    },
  };
}
