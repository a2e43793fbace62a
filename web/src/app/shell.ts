// The frame of every page: brand, breadcrumb, connection state, theme, and the place for the page.

import type { Live, LiveState } from '../api/live';
import { html, svg } from '../base/dom';
import { elapsed } from '../base/format';
import { themeButton } from '../base/theme';
import { sentence } from '../panels/common/states';

const STATES: Record<LiveState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
};

function mark(): SVGSVGElement {
  // A watchtower that is also a bar chart.
  return svg(
    'svg',
    { viewBox: '0 0 24 24', 'aria-hidden': 'true', fill: 'currentColor' },
    svg('path', { d: 'M3 3h4v3h3V3h4v3h3V3h4v7h-3v11h-4v-7h-4v7H6V10H3z' }),
  );
}

export interface ShellActions {
  signOut: () => void;
  reconnect: () => void;
}

export class Shell {
  readonly main = html('main', { id: 'main', class: 'shell-main', tabindex: -1 });
  private readonly where = html('nav', { class: 'shell-where', 'aria-label': 'Breadcrumb' });
  private readonly live: HTMLButtonElement;
  private readonly leave = html(
    'button',
    { type: 'button', class: 'button plain', hidden: '' },
    'Sign out',
  );
  private readonly renew = html(
    'button',
    { type: 'button', class: 'button small', hidden: '' },
    'New version available: reload',
  );
  private readonly views = html('span', { class: 'badge quiet', hidden: '' }, 'View only');
  private shown: Live | null = null;
  private paused = false;

  constructor(into: HTMLElement, actions: ShellActions) {
    this.live = html('button', { type: 'button', class: 'button plain shell-live', hidden: '' });
    this.live.addEventListener('click', actions.reconnect);
    this.leave.addEventListener('click', actions.signOut);
    this.renew.addEventListener('click', () => location.reload());
    const theme = themeButton();
    theme.classList.add('button', 'plain');
    const skip = html('a', { class: 'skip', href: '#main' }, 'Skip to content');
    skip.addEventListener('click', (event) => {
      event.preventDefault(); // The part after '#' is our router's.
      this.main.focus();
    });
    const brand = html(
      'a',
      { class: 'shell-brand', href: '#/runs', 'aria-label': 'Tensorwarden: all runs' },
      mark(),
    );
    brand.append(html('span', { class: 'words' }, 'Tensorwarden'));
    const tools = html('div', { class: 'shell-tools' });
    tools.append(this.renew, this.views, this.live, theme, this.leave);
    into.append(skip, html('header', { class: 'shell-bar' }, brand, this.where, tools), this.main);
    setInterval(() => this.drawLive(), 1000);
  }

  // The breadcrumb from the list of runs to here.
  setWhere(steps: { words: string; address?: string }[], title: string): void {
    const parts = steps.flatMap(({ words, address }) => [
      html('span', { 'aria-hidden': 'true' }, '/'),
      address
        ? html('a', { class: 'clip', href: address }, words)
        : html('span', { class: 'clip', 'aria-current': 'page' }, words),
    ]);
    this.where.replaceChildren(...parts);
    document.title = `${title} · Tensorwarden`;
  }

  // readOnly: why nothing can be changed; '' if it can.
  setUser(name: string, readOnly = ''): void {
    this.views.hidden = readOnly === '';
    this.views.title = sentence(readOnly);
    this.leave.hidden = name === '';
    this.leave.title = name ? `Signed in as ${name}` : '';
  }

  // Server and page have different versions, so the page may not understand the server.
  offerReload(): void {
    this.renew.hidden = false;
  }

  // live: the connection to show; null: none.
  setLive(live: Live | null, paused = false): void {
    this.shown = live;
    this.paused = paused;
    this.drawLive();
  }

  // Starts a new page: scrolls to the top.
  clear(focus: boolean): HTMLElement {
    this.main.replaceChildren();
    window.scrollTo(0, 0);
    if (focus) this.main.focus({ preventScroll: true });
    return this.main;
  }

  private drawLive(): void {
    this.live.hidden = this.shown === null;
    if (!this.shown) return;
    const { state, since } = this.shown;
    const words = this.paused && state === 'live' ? 'Paused' : STATES[state];
    const lost = state === 'offline' ? ` for ${elapsed((Date.now() - since) / 1000)}` : '';
    const text = words + lost;
    this.live.dataset['state'] = this.paused && state === 'live' ? 'paused' : state;
    if (this.live.textContent !== text) this.live.textContent = text;
    this.live.title = state === 'live' ? 'Updates automatically' : 'Reconnect now';
  }
}
