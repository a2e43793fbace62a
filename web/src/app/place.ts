// Where the address of the open page is kept: in the browser's address, or, in a frame that has none
// itself, in memory.

export interface Place {
  readonly address: string; // '#/runs', or ''.
  go: (address: string) => void; // Tells the listener.
  rewrite: (address: string) => void; // Replaces the entry of the history.
  push: (address: string) => void; // Adds one.
  listen: (moved: () => void) => void;
}

const inBrowser: Place = {
  get address() {
    return location.hash;
  },
  go: (address) => (location.hash = address),
  rewrite: (address) => history.replaceState(null, '', address),
  push: (address) => history.pushState(null, '', address),
  listen: (moved) => window.addEventListener('hashchange', moved),
};

export class InMemory implements Place {
  address = '';
  private moved: () => void = () => undefined;

  go(address: string): void {
    this.address = address;
    this.moved();
  }

  rewrite(address: string): void {
    this.address = address;
  }

  push(address: string): void {
    this.address = address;
  }

  listen(moved: () => void): void {
    this.moved = moved;
  }

  // Follows links within the page: they would lead to the page around the frame.
  catchLinks(from: Document): void {
    from.addEventListener('click', (event) => {
      const link = (event.target as Element | null)?.closest('a[href^="#/"]');
      if (!link || event.defaultPrevented) return;
      event.preventDefault();
      this.go(link.getAttribute('href') ?? '');
    });
  }
}

// A page that was put into another one as text, as notebooks do, is at 'about:srcdoc'.
export function placeOfPage(): Place {
  if (location.protocol !== 'about:') return inBrowser;
  const place = new InMemory();
  place.catchLinks(document);
  return place;
}
