// Output of the training: per host, followed live, searchable.

import './panel.css';
import { below } from '../../api/client';
import type { LiveEvent, LogPage, RunDetail } from '../../api/types';
import { counted, isRunning } from '../../api/words';
import { html } from '../../base/dom';
import { utc } from '../../base/format';
import { Choice } from '../common/fields';
import { Latest } from '../common/latest';
import { numberParam } from '../common/params';
import { plainLine } from '../common/plain_line';
import { loading, refused } from '../common/states';
import type { RunContext, RunPanel, View } from '../panel';
import { type LineTone, parts, toneOf } from './lines';

// Lines are polled: they arrive too fast for events.
const POLL_MS = 2000;
const MOST_LINES = 5000;
const NEAR_END = 24; // Pixels.

const LEVELS = [
  { value: '', label: 'all lines' },
  { value: 'warning', label: 'warnings and errors' },
  { value: 'error', label: 'errors' },
];

const isOfLevel = (tone: LineTone, level: string): boolean =>
  level === 'error' ? tone === 'bad' : level === 'warning' ? tone !== '' : true;

interface Line {
  time: number;
  text: string;
}

class Logs implements View {
  private run: RunDetail;
  private lines: Line[] = [];
  private next = '';
  private loaded = false;
  private dropped = 0; // Number of old lines dropped from the page.
  private follow = true;
  private wentTo: number | null = null; // The moment that was scrolled to.
  private readonly question = new Latest();
  private readonly timer = setInterval(() => this.poll(), POLL_MS);
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
  private readonly pane = html('div', {
    class: 'logs-pane',
    role: 'log',
    'aria-live': 'off',
    'aria-label': 'Log',
    tabindex: 0,
  });

  constructor(
    private readonly context: RunContext,
    into: HTMLElement,
  ) {
    this.run = context.run;
    this.host.addEventListener('change', () => this.set('host', this.host.value));
    this.search.addEventListener('input', () => this.set('q', this.search.value));
    this.following.addEventListener('change', () => this.setFollow(this.following.checked));
    this.pane.addEventListener('scroll', () => this.setFollow(this.atEnd()), { passive: true });
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
    into.replaceChildren(bar, this.message, this.pane);
    this.restart();
  }

  update(run: RunDetail): void {
    this.run = run;
  }

  live(event: LiveEvent): void {
    if (event.event === 'back') this.poll(true);
  }

  navigate(): void {
    if ((this.context.params.get('host') ?? '') !== this.host.value) this.restart();
    else this.draw();
  }

  close(): void {
    clearInterval(this.timer);
    this.question.giveUp();
  }

  private restart(): void {
    this.question.giveUp();
    this.lines = [];
    this.next = '';
    this.loaded = false;
    this.dropped = 0;
    this.pane.hidden = true;
    this.message.replaceChildren(loading('Loading the log …'));
    this.poll(true);
  }

  private set(name: string, value: string): void {
    const params = this.context.params;
    if (value) params.set(name, value);
    else params.delete(name);
    this.context.setParams(params);
    if (name === 'host') this.restart();
    else this.draw();
  }

  private poll(anyway = false): void {
    if (this.question.waiting || (!anyway && (document.hidden || !isRunning(this.run)))) return;
    const query = { host: this.context.params.get('host') ?? '', after: this.next };
    this.question.ask(
      (signal) => this.context.client.get<LogPage>(below(this.run.id, 'logs'), { query, signal }),
      (page) => this.came(page),
      (error) => {
        if (!this.loaded) this.message.replaceChildren(refused(error, () => this.restart()));
      },
    );
  }

  private came(page: LogPage): void {
    const first = !this.loaded;
    this.loaded = true;
    this.next = page.next;
    this.showHosts(page.hosts);
    const added = page.lines.map(({ time, text }) => ({ time, text: plainLine(text) }));
    this.lines.push(...added);
    const beyond = Math.max(0, this.lines.length - MOST_LINES);
    this.lines.splice(0, beyond);
    this.dropped += beyond;
    if (first || beyond > 0) this.draw();
    else if (added.length > 0) this.append(added);
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

  private draw(): void {
    if (!this.loaded) return;
    const search = this.context.params.get('q') ?? '';
    if (this.search.value !== search) this.search.value = search;
    this.level.element.classList.add('inline');
    this.level.set(LEVELS, this.context.params.get('level') ?? '');
    this.pane.replaceChildren();
    this.append(this.lines);
    this.goToMoment();
  }

  // A link may lead to the lines of a moment: of a finding, say.
  private goToMoment(): void {
    const at = numberParam(this.context.params.get('at'));
    const line = at === null || this.wentTo === at ? null : this.lineAt(at);
    if (!line) return;
    this.wentTo = at;
    this.setFollow(false);
    line.classList.add('logs-here');
    line.scrollIntoView({ block: 'center' });
  }

  // The last line that is not later.
  private lineAt(at: number): Element | null {
    const lines = [...this.pane.children];
    const later = lines.findIndex((line) => Number(line.getAttribute('data-time')) > at);
    return lines[later < 0 ? lines.length - 1 : Math.max(0, later - 1)] ?? null;
  }

  private append(lines: readonly Line[]): void {
    const search = this.context.params.get('q') ?? '';
    const wanted = search.toLowerCase();
    const level = this.context.params.get('level') ?? '';
    const kept = lines.filter(
      ({ text }) => text.toLowerCase().includes(wanted) && isOfLevel(toneOf(text), level),
    );
    this.pane.append(...kept.map((line) => element(line, search)));
    const shown = this.pane.childElementCount;
    this.pane.hidden = shown === 0;
    const older =
      this.dropped > 0 ? `, ${this.dropped.toLocaleString('en')} older lines not shown` : '';
    const all = counted(this.lines.length, 'line');
    this.count.textContent =
      search || level ? `${shown.toLocaleString('en')} of ${all}` : all + older;
    this.message.replaceChildren(...(shown === 0 ? [this.nothing(search || level)] : []));
    if (this.follow) this.pane.scrollTop = this.pane.scrollHeight;
    this.following.checked = this.follow;
  }

  private nothing(search: string): HTMLElement {
    const words = search ? 'No lines match' : 'No output yet';
    return html('div', { class: 'empty' }, html('p', {}, words));
  }

  private atEnd(): boolean {
    return this.pane.scrollTop + this.pane.clientHeight >= this.pane.scrollHeight - NEAR_END;
  }

  private setFollow(follow: boolean): void {
    this.follow = follow;
    this.following.checked = follow;
    if (follow && !this.atEnd()) this.pane.scrollTop = this.pane.scrollHeight;
  }
}

function element({ time, text }: Line, search: string): HTMLElement {
  const words = parts(text, search).map((part, i) => (i % 2 === 1 ? html('mark', {}, part) : part));
  const clock = utc(time);
  return html(
    'div',
    { class: `logs-line ${toneOf(text)}`, 'data-time': time },
    html('time', { title: clock }, clock.slice(11, 19)),
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
