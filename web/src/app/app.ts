// Which page is open, and what all pages share: session, URL, announcements.

import { Client } from '../api/client';
import { sessionKey } from '../api/session_key';
import type { Exported } from '../api/exported';
import type { Live } from '../api/live';
import type { Session } from '../api/types';
import { html } from '../base/dom';
import { openComparePage } from './compare_page';
import { openLogin } from '../panels/login';
import type { PanelContext } from '../panels/panel';
import { refused } from '../panels/common/states';
import { Announcer } from './announcer';
import { type Page, type PageHost } from './page';
import { placeOfPage } from './place';
import { parseRoute, type Route, Router, routeAddress } from './router';
import { RunPage } from './run_page';
import { openRunsPage } from './runs_page';
import { Shell } from './shell';

export class App implements PageHost {
  readonly client: Client;
  readonly router: Router;
  readonly shell: Shell;
  session: Session = { user: '', scopes: [], version: '', read_only: '' };

  private readonly announcer: Announcer;
  private page: Page | null = null;
  private route: Route;
  private live: Live | null = null;
  private asking = false; // The login page is open.

  // exported: the run that is in the page, if there is no server.
  constructor(
    body: HTMLElement,
    readonly exported: Exported | null,
  ) {
    this.client = new Client(() => this.askToken(), exported?.fetch);
    this.shell = new Shell(body, {
      signOut: () => void this.signOut(),
      reconnect: () => this.live?.reconnect(),
    });
    this.announcer = new Announcer(body);
    this.router = new Router((route) => this.changed(route), placeOfPage());
    if (exported && this.router.route().page !== 'run')
      this.router.rewrite(`#/run/${encodeURIComponent(exported.run)}`);
    this.route = this.router.route();
  }

  start(): void {
    if (this.route.page === 'login') this.openLoginPage(this.route.params);
    else void this.enter();
  }

  announce(words: string, tone: 'plain' | 'warning' = 'plain'): void {
    this.announcer.announce(words, tone);
  }

  setLive(live: Live | null, paused = false): void {
    this.live = live;
    this.shell.setLive(this.exported ? null : live, paused);
  }

  // After a failed connection: 401 makes the client ask for the token.
  checkSession(): void {
    if (!this.asking) void this.client.get<Session>('session');
  }

  heardVersion(version: string): void {
    if (this.session.version !== '' && version !== this.session.version) this.shell.offerReload();
  }

  context(): PanelContext {
    const params = (): URLSearchParams => new URLSearchParams(this.route.params);
    const session = (): Session => this.session;
    return {
      client: this.client,
      get session() {
        return session();
      },
      get params() {
        return params();
      },
      setParams: (params, step = false) => this.setParams(params, step),
      go: (address) => this.router.go(address),
      announce: (words, tone) => this.announce(words, tone),
    };
  }

  // Loads the session, then opens the page of the current URL.
  private async enter(): Promise<void> {
    const wasAsking = this.asking;
    const route = this.router.route();
    // Only what can be changed in the list of runs depends on the session: its rows do not wait.
    const early = route.page === 'runs' && sessionKey() !== '' && !wasAsking;
    if (early) this.open(route, false);
    const { page } = this;
    const answer = await this.client.get<Session>('session');
    if (answer.ok) {
      this.session = answer.value;
      this.asking = false;
      this.shell.setUser(answer.value.user, answer.value.read_only);
      if (early && page === this.page) page?.sessionCame?.();
      else this.open(this.router.route(), false);
    } else if (answer.error.status !== 401) {
      this.closePage();
      this.shell.setWhere([], 'No connection');
      this.shell.clear(false).append(
        html('h1', { class: 'unseen' }, 'No connection'),
        refused(answer.error, () => void this.enter()),
      );
    } else if (wasAsking) {
      this.announce('The token is valid, but the session ended at once. Sign in again.', 'warning');
    }
  }

  private changed(route: Route): void {
    if (this.exported && route.page !== 'run') {
      this.router.go(`#/run/${encodeURIComponent(this.exported.run)}`);
    } else if (route.page === 'login') {
      this.openLoginPage(route.params);
    } else if (this.asking) {
      this.route = route; // Opened after login.
    } else {
      this.route = route; // Set first: the panel reads its parameters from the context.
      if (!this.page?.navigate(route)) this.open(route, true);
    }
  }

  private open(route: Route, focus: boolean): void {
    this.closePage();
    this.route = route;
    const into = this.shell.clear(focus);
    if (route.page === 'run') this.page = new RunPage(this, route, into);
    else if (route.page === 'compare') this.page = openComparePage(this, route, into);
    else this.page = openRunsPage(this, into);
  }

  private setParams(params: URLSearchParams, step: boolean): void {
    const address = routeAddress({ ...this.route, params: new URLSearchParams(params) });
    if (address === this.router.address || this.router.isLeaving) return;
    if (step) this.router.push(address);
    else this.router.rewrite(address);
    this.route = this.router.route();
  }

  private closePage(): void {
    this.page?.close();
    this.page = null;
    this.setLive(null);
  }

  // The URL stays, so a followed link opens after login.
  private askToken(): void {
    if (this.asking) return;
    this.openLoginPage(new URLSearchParams());
  }

  // params: 'token', and 'to': the URL to open after login.
  private openLoginPage(params: URLSearchParams): void {
    this.asking = true;
    this.closePage();
    this.shell.setUser('');
    this.shell.setWhere([], 'Sign in');
    // The token must not stay in the address bar, where it would be copied or kept in the history.
    if (this.router.route().page === 'login') {
      const to = params.get('to') ?? '';
      this.router.rewrite(to.startsWith('#/') && parseRoute(to).page !== 'login' ? to : '#/runs');
    }
    this.route = this.router.route();
    openLogin(
      this.client,
      params.get('token') ?? '',
      this.shell.clear(false),
      () => void this.enter(),
    );
  }

  private async signOut(): Promise<void> {
    const answer = await this.client.signOut();
    if (answer.ok) this.openLoginPage(new URLSearchParams());
    else if (answer.error.status !== 401)
      this.announce(`Could not sign out: ${answer.error.message}`, 'warning');
  }
}
