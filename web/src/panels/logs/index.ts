// Output of the training: per host, followed live, searchable. The page has a part of the log, and
// loads older and newer lines at its ends.

import './panel.css';
import { below } from '../../api/client';
import type { LiveEvent, LogLine, LogPage, RunDetail } from '../../api/types';
import { counted, isRunning } from '../../api/words';
import { html } from '../../base/dom';
import { utc } from '../../base/format';
import { Paced } from '../../base/paced';
import { plainLine } from '../../base/plain_line';
import { button, Choice } from '../common/fields';
import { Latest } from '../common/latest';
import { numberParam } from '../common/params';
import { loading, refused } from '../common/states';
import type { RunContext, RunPanel, View } from '../panel';
import { parts } from './lines';
import { LogWindow, MOST_LINES, type Side, sizeWords } from './log_window';

// Lines are polled: they arrive too fast for events.
const POLL_MS = 2000;
const TYPING_MS = 250;
const NEAR_END = 24; // Pixels.
const NEAR_TOP = 200;

const LEVELS = [
  { value: '', label: 'all lines' },
  { value: 'warning', label: 'warnings and errors' },
  { value: 'error', label: 'errors' },
];

class Logs implements View {
  private run: RunDetail;
  private window: LogWindow | null = null;
  private asked = ''; // The question that the window answers.
  private follow = true;
  private readonly question = new Latest();
  private readonly timer = setInterval(() => this.poll(), POLL_MS);
  private readonly searching = new Paced(() => this.restart(), TYPING_MS);
  private readonly host = html('select');
  private readonly hostField = html('label', { class: 'field inline' }, 'Host', this.host);
  private readonly search = html('input', {
    type: 'search',
    placeholder: 'Search',
    'aria-label': 'Search the log',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  private readonly level = new Choice('Level', (level) => this.set('level', level));
  private readonly following = html('input', { type: 'checkbox' });
  private readonly count = html('span', { class: 'quiet number', role: 'status' });
  private readonly message = html('div');
  private readonly moment = html('p', { class: 'common-note logs-moment', role: 'status' });
  private readonly olderButton = button('Older lines', () => this.showOlder(), {
    class: 'button small',
  });
  private readonly newerButton = button('Newer lines', () => this.load('newer'), {
    class: 'button small',
  });
  private readonly begin = html('div', { class: 'logs-edge' }, this.olderButton);
  private readonly end = html('div', { class: 'logs-edge' }, this.newerButton);
  private readonly list = html('div');
  private readonly pane = html(
    'div',
    { class: 'logs-pane', role: 'log', 'aria-live': 'off', 'aria-label': 'Log', tabindex: 0 },
    this.begin,
    this.list,
    this.end,
  );

  constructor(
    private readonly context: RunContext,
    into: HTMLElement,
  ) {
    this.run = context.run;
    this.host.addEventListener('change', () => this.set('host', this.host.value));
    this.search.addEventListener('input', () => this.set('q', this.search.value));
    this.following.addEventListener('change', () => this.chooseFollow(this.following.checked));
    this.pane.addEventListener('scroll', () => this.scrolled(), { passive: true });
    this.level.element.classList.add('inline');
    const bar = html(
      'div',
      { class: 'logs-bar row' },
      this.hostField,
      html('label', { class: 'field logs-search' }, this.search),
      this.level.element,
      html('label', { class: 'check' }, this.following, 'Follow'),
      html('span', { class: 'spacer' }),
      this.count,
    );
    into.replaceChildren(bar, this.message, this.moment, this.pane);
    this.restart();
  }

  update(run: RunDetail): void {
    const ended = isRunning(this.run) && !isRunning(run);
    this.run = run;
    if (ended) this.poll(true); // For its last lines.
  }

  live(event: LiveEvent): void {
    if (event.event === 'back') this.poll(true);
  }

  navigate(): void {
    if (String(this.asking()) !== this.asked) this.restart();
  }

  close(): void {
    clearInterval(this.timer);
    this.searching.stop();
    this.question.giveUp();
  }

  // Which lines the address asks for.
  private asking(): URLSearchParams {
    const { params } = this.context;
    const names = ['host', 'q', 'level', 'at'];
    return new URLSearchParams(
      names.flatMap((name): [string, string][] => {
        const value = params.get(name) ?? '';
        const kept = name === 'at' ? numberParam(value) !== null : value !== '';
        return kept ? [[name, value]] : [];
      }),
    );
  }

  private get filtered(): boolean {
    const { params } = this.context;
    return Boolean(params.get('q') ?? '') || Boolean(params.get('level') ?? '');
  }

  private restart(): void {
    const asking = this.asking();
    this.asked = String(asking);
    this.showFields();
    if (!this.window) this.message.replaceChildren(loading('Loading the log …'));
    this.pane.hidden = !this.window;
    this.ask(Object.fromEntries(asking), (page) => {
      this.window = new LogWindow(page);
      this.follow = !asking.has('at');
      this.showHosts(page.hosts);
      this.draw();
      this.goOn();
    });
  }

  // query: beyond what is common to all requests for these lines.
  private ask(query: Record<string, string>, then: (page: LogPage) => void): void {
    this.question.ask(
      (signal) => this.context.client.get<LogPage>(below(this.run.id, 'logs'), { query, signal }),
      then,
      (error) => {
        this.showState();
        if (error.status !== 0 || !this.window)
          this.message.replaceChildren(refused(error, () => this.restart()));
      },
    );
  }

  private set(name: string, value: string): void {
    const params = this.context.params;
    if (value) params.set(name, value);
    else params.delete(name);
    this.context.setParams(params);
    if (name === 'q') {
      this.searching.tell();
      return;
    }
    if (name === 'host') this.window = null;
    this.restart();
  }

  private poll(anyway = false): void {
    if (this.question.waiting || (!anyway && (document.hidden || !isRunning(this.run)))) return;
    if (!this.window) {
      this.restart();
      return;
    }
    if (this.window.newer) return; // They are not next to the last lines.
    // Nothing is taken away from those who read.
    if (!this.follow && this.window.lines.length >= MOST_LINES) {
      this.window.newer = true;
      this.showState();
    } else this.load('newer');
  }

  // shown: called when they are on the page.
  private load(side: Side, shown: () => void = () => undefined): void {
    const window = this.window;
    if (!window) return;
    const asking = this.asking();
    asking.delete('at');
    this.ask({ ...Object.fromEntries(asking), ...window.query(side) }, (page) => {
      const dropped = window.add(side, page);
      this.showHosts(page.hosts);
      this.keepingPlace(() => this.extend(side, page.lines.length, dropped));
      shown();
      this.goOn();
    });
  }

  // A search of a long log takes several answers.
  private goOn(): void {
    const side = this.filtered ? this.window?.unfinished : null;
    if (side) this.load(side);
    this.showState();
  }

  // By the button: who cannot see above what they read wants to be there.
  private showOlder(): void {
    const first = this.list.firstElementChild;
    this.load('older', () => first?.scrollIntoView({ block: 'end' }));
  }

  private showHosts(hosts: string[]): void {
    const chosen = this.context.params.get('host') ?? hosts[0] ?? '';
    const all = hosts.includes(chosen) || chosen === '' ? hosts : [chosen, ...hosts];
    const shown = [...this.host.options].map(({ value }) => value);
    if (String(shown) !== String(all))
      this.host.replaceChildren(...all.map((host) => html('option', { value: host }, host)));
    this.host.value = chosen;
    this.hostField.hidden = all.length < 2;
  }

  private showFields(): void {
    const search = this.context.params.get('q') ?? '';
    if (this.search.value !== search) this.search.value = search;
    this.level.set(LEVELS, this.context.params.get('level') ?? '');
  }

  private draw(): void {
    const { lines } = this.window as LogWindow;
    this.list.replaceChildren(...lines.flatMap((_, i) => this.nodes(i)));
    this.showState();
    this.mark()?.scrollIntoView({ block: 'center' });
  }

  // After `count` lines were added at one side, and `dropped` ones left the other.
  private extend(side: Side, count: number, dropped: number): void {
    const { lines } = this.window as LogWindow;
    const shown = this.list.getElementsByClassName('logs-line');
    if (side === 'older') {
      for (let i = 0; i < dropped; ++i) this.dropLast();
      this.dropUntil(shown[0]);
      // The one that was first knows now what lies before it.
      const gap = count < lines.length ? this.nodes(count).slice(0, -1) : [];
      const added = Array.from({ length: count }, (_, i) => this.nodes(i)).flat();
      this.list.prepend(...added, ...gap);
    } else {
      const from = lines.length - count;
      for (let i = Math.max(0, from); i < lines.length; ++i) this.list.append(...this.nodes(i));
      this.dropUntil(shown[dropped]);
    }
    this.mark();
    this.showState();
  }

  // The last line, and what stands before it.
  private dropLast(): void {
    this.list.lastElementChild?.remove();
    if (this.list.lastElementChild?.classList.contains('logs-gap'))
      this.list.lastElementChild.remove();
  }

  // What stands before a line.
  private dropUntil(line: Element | undefined): void {
    while (this.list.firstElementChild && this.list.firstElementChild !== line)
      this.list.firstElementChild.remove();
  }

  // Changes lines above or below, but not those that are being read.
  private keepingPlace(change: () => void): void {
    if (this.follow) {
      change();
      return;
    }
    const top = this.pane.getBoundingClientRect().top;
    const read = [...this.list.children].find((line) => line.getBoundingClientRect().bottom > top);
    const before = read?.getBoundingClientRect().top ?? 0;
    change();
    if (read?.isConnected) this.pane.scrollTop += read.getBoundingClientRect().top - before;
  }

  // A link may lead to the lines of a moment: of a finding, say.
  private mark(): Element | undefined {
    const marked = this.window?.marked ?? -1;
    const line = this.list.getElementsByClassName('logs-line')[marked];
    const before = this.list.querySelector('.logs-here');
    if (before === line) return line;
    before?.classList.remove('logs-here');
    before?.removeAttribute('aria-current');
    line?.classList.add('logs-here');
    line?.setAttribute('aria-current', 'true');
    return line;
  }

  private showState(): void {
    const { window, filtered } = this;
    if (!window) return;
    const { lines, older, newer, leftOutAtBegin } = window;
    const busy = this.question.waiting && filtered && window.unfinished !== null;
    const part = older || newer;
    const all = counted(lines.length, filtered ? 'matching line' : 'line');
    this.count.textContent = all + (busy ? ', searching …' : part ? ' loaded' : '');
    const nothing = lines.length === 0 && !part;
    this.pane.hidden = nothing || (lines.length === 0 && busy);
    if (this.pane.hidden)
      this.message.replaceChildren(nothing ? this.nothing(filtered) : loading('Searching …'));
    else this.message.replaceChildren();
    const beginning =
      leftOutAtBegin > 0
        ? `Older output was left out (${sizeWords(leftOutAtBegin)}).`
        : 'Beginning of the log';
    if (!older) this.begin.replaceChildren(beginning);
    else if (!this.olderButton.isConnected) this.begin.replaceChildren(this.olderButton);
    this.end.hidden = !newer;
    const at = numberParam(this.context.params.get('at'));
    const words = at === null ? '' : window.momentWords(at, filtered);
    if (this.moment.textContent !== words) this.moment.textContent = words;
    this.moment.hidden = words === '';
    this.following.checked = this.follow;
    if (this.follow) this.pane.scrollTop = this.pane.scrollHeight;
  }

  private nothing(filtered: boolean): HTMLElement {
    const words = filtered ? 'No lines match' : 'No output yet';
    return html('div', { class: 'empty' }, html('p', {}, words));
  }

  // A line, and before it what was left out there.
  private nodes(index: number): HTMLElement[] {
    const window = this.window as LogWindow;
    const line = window.lines[index] as LogLine;
    const bytes = window.leftOutBefore(index);
    const search = this.context.params.get('q') ?? '';
    const around = this.filtered ? this.addressOf(line.time) : '';
    const shown = element(line, search, around);
    if (bytes === 0) return [shown];
    return [html('div', { class: 'logs-gap' }, `${sizeWords(bytes)} of output left out`), shown];
  }

  // Of the whole log at a moment.
  private addressOf(time: number): string {
    const params = new URLSearchParams({ at: String(time) });
    const host = this.context.params.get('host');
    if (host) params.set('host', host);
    return `#/run/${encodeURIComponent(this.run.id)}/logs?${params}`;
  }

  private atEnd(): boolean {
    return this.pane.scrollTop + this.pane.clientHeight >= this.pane.scrollHeight - NEAR_END;
  }

  private scrolled(): void {
    const window = this.window;
    if (!window || this.pane.hidden) return;
    const atEnd = this.atEnd();
    this.follow = atEnd && !window.newer;
    this.following.checked = this.follow;
    if (this.question.waiting) return;
    if (atEnd && window.newer) this.load('newer');
    else if (!atEnd && window.older && this.pane.scrollTop < NEAR_TOP) this.load('older');
  }

  private chooseFollow(follow: boolean): void {
    this.follow = follow;
    const { params } = this.context;
    if (!follow) return;
    if (this.window?.newer !== true && !params.has('at')) {
      this.pane.scrollTop = this.pane.scrollHeight;
      return;
    }
    params.delete('at');
    this.context.setParams(params);
    this.restart();
  }
}

// around: the address of the lines around it; empty: they are shown.
function element({ time, text, level }: LogLine, search: string, around: string): HTMLElement {
  const words = parts(plainLine(text), search).map((part, i) =>
    i % 2 === 1 ? html('mark', {}, part) : part,
  );
  const clock = utc(time);
  const hour = clock.slice(11, 19);
  const title = 'Show the lines around this one';
  const shown = around === '' ? hour : html('a', { href: around, title }, hour);
  return html(
    'div',
    { class: `logs-line ${level === 'error' ? 'bad' : (level ?? '')}` },
    html('time', { title: clock }, shown),
    html('span', {}, ...words),
  );
}

export const panel: RunPanel = {
  id: 'logs',
  title: 'Logs',
  subject: 'logs',
  missing: (run) =>
    run.has.logs
      ? ''
      : 'Output is kept for jobs of “warden serve” and for runs of “warden run” without --no-log.',
  open: (context, into) => new Logs(context, into),
};
