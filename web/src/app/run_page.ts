// One run: its heading, its panels, and the live events that update them.

import { below } from '../api/client';
import { Live } from '../api/live';
import type { LiveEvent, RunDetail } from '../api/types';
import { html } from '../base/dom';
import { Paced } from '../base/paced';
import { Latest } from '../panels/common/latest';
import { shownName } from '../panels/common/run_names';
import { empty, loading, refused } from '../panels/common/states';
import type { RunContext, RunPanel, View } from '../panels/panel';
import { News } from './news';
import type { Page, PageHost } from './page';
import { PANELS } from './panels';
import { type Route, routeAddress } from './router';
import { RunHead } from './run_head';
import { newIncidents, withFinding, withSteps } from './run_state';

export class RunPage implements Page {
  private run: RunDetail | null = null;
  private view: View | null = null;
  private panel: RunPanel | null = null;
  private paused = false;
  private unanswered = false; // The run was requested, but the server did not respond.
  // Events that arrived before the run was loaded: the last of each kind, as the run is loaded
  // again anyway.
  private readonly early = new Map<string, LiveEvent>();
  private head: RunHead | null = null;
  private readonly forgetEarly: () => void = () => undefined;
  private readonly place = html('div', { class: 'run-panel' });
  private readonly question = new Latest();
  private readonly refresh = new Paced(() => this.load(), 500);
  private readonly news = new News((words) => this.host.announce(words, 'warning'));
  private readonly live: Live;

  constructor(
    private readonly host: PageHost,
    private route: Route & { page: 'run' },
    private readonly into: HTMLElement,
  ) {
    host.shell.setWhere([{ words: route.run }], route.run);
    this.instead(loading('Loading the run …'));
    this.live = new Live(route.run, {
      silent: host.exported !== null,
      heard: (event) => this.heard(event),
      stateChanged: ({ state }) => {
        this.host.setLive(this.live, this.paused);
        this.head?.setConnection(state);
      },
      failed: () => this.host.checkSession(),
    });
    host.setLive(this.live);
    this.load();
    const first = this.panelOf(route)?.first;
    if (first) this.forgetEarly = host.client.ahead(first(route.run));
  }

  navigate(route: Route): boolean {
    if (route.page !== 'run' || route.run !== this.route.run) return false;
    const samePanel = route.panel === this.route.panel;
    this.route = route;
    if (!this.run) return true;
    if (samePanel && this.view?.navigate) this.view.navigate(route.params);
    else this.openPanel();
    return true;
  }

  close(): void {
    this.live.close();
    this.question.giveUp();
    this.refresh.stop();
    this.forgetEarly();
    this.closePanel();
    this.news.close();
    this.head?.close();
  }

  // Reloads the run and lets the panel do the same.
  reload(): void {
    this.load();
    this.view?.live?.({ event: 'back', data: {} });
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
    this.host.setLive(this.live, paused);
    if (!paused) this.reload();
  }

  private load(): void {
    this.question.askAgain(
      (signal) => this.host.client.get<RunDetail>(below(this.route.run), { signal }),
      (run) => this.loaded(run),
      (error) => {
        this.unanswered = error.status === 0;
        // Keep what is shown; the top bar says that the server is gone.
        if (this.run || error.status === 401) return;
        if (error.status === 404) this.instead(this.unknownRun());
        else this.instead(refused(error, () => this.load()));
      },
    );
  }

  // While there is no run to show, which has its name as the heading.
  private instead(content: HTMLElement): void {
    this.into.replaceChildren(html('h1', { class: 'unseen' }, this.route.run), content);
  }

  private loaded(run: RunDetail): void {
    const first = this.run === null;
    this.unanswered = false;
    for (const { rule, headline } of this.run ? newIncidents(this.run, run) : [])
      this.news.add(rule, headline);
    this.run = run;
    if (first) this.build(run);
    this.show(run);
    if (first) this.openFirst();
    else if (!this.view)
      this.openPanel(); // The panel may have data by now.
    else this.view.update?.(run);
  }

  private openFirst(): void {
    this.openPanel();
    for (const event of this.early.values()) this.heard(event);
    this.early.clear();
  }

  private build(run: RunDetail): void {
    this.head = new RunHead(run, this.host, {
      reload: () => this.reload(),
      setPaused: (paused) => this.setPaused(paused),
    });
    this.head.setConnection(this.live.state);
    this.into.replaceChildren(this.head.element, this.place);
  }

  private show(run: RunDetail): void {
    this.head?.update(run, this.route.panel);
    const issues = run.incidents.length > 0 ? `(${run.incidents.length}) ` : '';
    this.host.shell.setWhere(
      [{ words: shownName(run) }],
      `${issues}${shownName(run)} · ${this.panel?.title ?? ''}`,
    );
  }

  private heard(event: LiveEvent): void {
    if (event.event === 'hello') {
      this.host.heardVersion(event.data.version);
      if (this.unanswered) this.load();
    }
    if (this.paused) return;
    if (!this.run) {
      this.early.set(event.event, event);
      return;
    }
    if (event.event === 'hello' || event.event === 'run' || event.event === 'back')
      this.refresh.tell();
    if (event.event === 'finding')
      this.changed(withFinding(this.run, event.data.rule, event.data.finding));
    if (event.event === 'steps') this.changed(withSteps(this.run, event.data));
    this.view?.live?.(event);
  }

  private changed(run: RunDetail): void {
    this.run = run;
    this.show(run);
    this.view?.update?.(run);
  }

  private openPanel(): void {
    this.closePanel();
    const run = this.run;
    if (!run) return;
    const panel = this.panelOf(this.route);
    this.panel = panel;
    this.show(run);
    if (!panel) {
      this.place.replaceChildren(
        empty(`Unknown panel “${this.route.panel}”`, 'Choose one of the panels above.'),
      );
      return;
    }
    const missing = this.host.exported?.missing(panel.id) || panel.missing(run);
    if (missing) this.place.replaceChildren(empty(`No ${panel.subject} for this run`, missing));
    else this.view = panel.open(this.contextOf(panel), this.place);
    this.forgetEarly();
  }

  private panelOf(route: Route & { page: 'run' }): RunPanel | null {
    return PANELS.find(({ id }) => id === route.panel) ?? null;
  }

  private closePanel(): void {
    this.view?.close();
    this.view = null;
    this.place.replaceChildren();
  }

  private contextOf(panel: RunPanel): RunContext {
    const context = this.host.context();
    const run = (): RunDetail => this.run as RunDetail;
    return {
      ...context,
      get params() {
        return context.params;
      },
      // A panel that answers late must not write into the URL of the panel that is open now.
      setParams: (params, step) => {
        if (this.view !== null && this.panel === panel) context.setParams(params, step);
      },
      get run() {
        return run();
      },
    };
  }

  private unknownRun(): HTMLElement {
    const list = html(
      'a',
      { href: routeAddress({ page: 'runs', params: new URLSearchParams() }) },
      'Show all runs',
    );
    return empty(
      'Run not found',
      `No run has the ID “${this.route.run}”. It may have been deleted.`,
      list,
    );
  }
}
