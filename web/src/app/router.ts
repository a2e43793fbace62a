// URLs: parses and writes the part after '#'.

import type { Place } from './place';

export type Route =
  | { page: 'runs'; params: URLSearchParams }
  | { page: 'compare'; params: URLSearchParams }
  | { page: 'login'; params: URLSearchParams }
  | { page: 'run'; run: string; panel: string; params: URLSearchParams }
  | { page: 'unknown'; params: URLSearchParams };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A single '%' that somebody typed stands for itself.
  }
}

// hash: '#/run/ID/tensors?tensor=T', or ''.
export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, '');
  const question = text.indexOf('?');
  const path = question < 0 ? text : text.slice(0, question);
  const params = new URLSearchParams(question < 0 ? '' : text.slice(question + 1));
  const [page = '', run = '', panel = ''] = path.split('/').map(decoded);
  if (page === '') return { page: 'runs', params };
  if (page === 'runs' || page === 'compare' || page === 'login') return { page, params };
  if (page === 'run' && run !== '') return { page, run, panel: panel || 'overview', params };
  return { page: 'unknown', params };
}

function withParams(path: string, params: URLSearchParams): string {
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

export function routeAddress(route: Route): string {
  if (route.page !== 'run')
    return withParams(`#/${route.page === 'unknown' ? 'runs' : route.page}`, route.params);
  return withParams(
    `#/run/${encodeURIComponent(route.run)}/${encodeURIComponent(route.panel)}`,
    route.params,
  );
}

export class Router {
  private opened: string;

  constructor(
    private readonly changed: (route: Route) => void,
    private readonly place: Place,
  ) {
    this.opened = place.address;
    place.listen(() => {
      this.opened = place.address;
      this.changed(this.route());
    });
  }

  get address(): string {
    return this.place.address;
  }

  // Whether somebody has just gone to another address, about which the browser has not told us yet.
  // Writing the address of the page that is still open would undo that.
  get isLeaving(): boolean {
    return this.place.address !== this.opened;
  }

  route(): Route {
    return parseRoute(this.place.address);
  }

  go(address: string): void {
    if (this.place.address === address) this.changed(this.route());
    else this.place.go(address);
  }

  // Replaces the current history entry and opens nothing.
  rewrite(address: string): void {
    this.place.rewrite(address);
    this.opened = this.place.address;
  }

  // Adds a history entry, so 'back' returns to the previous state.
  push(address: string): void {
    this.place.push(address);
    this.opened = this.place.address;
  }
}
