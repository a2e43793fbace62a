// The profile: what to do first, the dashboard's pies and tables, the report's sections.

import { below, type Refusal } from '../../api/client';
import type { LiveEvent, Profile, ReportValue } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { improveTables } from '../../base/tables';
import { hideTip } from '../../charts/chart';
import { Latest } from '../common/latest';
import { empty, loading, refused } from '../common/states';
import type { RunContext, View } from '../panel';
import { Contents, type Entry } from './contents';
import { paragraph, SectionWriter } from './section';

const FIRST = 'first';
const DASHBOARD = 'dashboard-';
const REPORT = 'report-';
const NEWER = 15000; // Milliseconds between two polls for new data, ...
const PENDING = [1500, 4000] as const; // ... while the server is computing.

// Text shown instead of advice, and whether the server is computing a newer profile.
type Report = ReportValue & { no_advice?: Parameters<typeof paragraph>[0][] };
type Told = Omit<Profile, 'report'> & { report: Report | null; pending?: boolean };

const isEmpty = ({ report, dashboard }: Told): boolean => !report && dashboard.length === 0;
const figures = ({ report, dashboard }: Told): string => JSON.stringify([report, dashboard]);

export class ProfilerView implements View {
  private readonly question = new Latest();
  private readonly contents: Contents;
  private readonly body = html('div', { class: 'profiler-body' });
  private readonly newer = html(
    'button',
    { type: 'button', class: 'button small profiler-newer', hidden: '' },
    'New data available: show it',
  );
  private readonly pace = new Paced(() => this.load(), NEWER);
  private endCharts: () => void = () => undefined;
  private profile: Told | null = null;
  private next: Told | null = null; // Newer than what is shown.
  private atOnce = false; // The reader asked for the newest.
  private timer = 0;

  constructor(
    private readonly context: RunContext,
    private readonly into: HTMLElement,
  ) {
    this.contents = new Contents((id) => this.address(id));
    this.newer.addEventListener('click', () => {
      if (this.next) this.show(this.next);
    });
    into.append(loading('Computing the profile … This can take a while for long runs.'));
    this.load();
  }

  live(event: LiveEvent): void {
    if (event.event === 'timeline' || event.event === 'metrics') this.pace.tell();
    if (event.event !== 'back') return;
    this.atOnce = true;
    this.load();
  }

  navigate(params: URLSearchParams): void {
    this.scrollTo(params.get('section'));
  }

  close(): void {
    this.question.giveUp();
    this.pace.stop();
    clearTimeout(this.timer);
    this.contents.close();
    this.endCharts();
    hideTip();
  }

  private load(): void {
    clearTimeout(this.timer);
    this.question.ask(
      (signal) => this.context.client.get<Told>(below(this.context.run.id, 'profile'), { signal }),
      (profile) => this.answered(profile),
      (error) => this.failed(error),
    );
  }

  // The page does not change while it is being read: newer data is shown on request.
  private answered(profile: Told): void {
    const waiting = !this.profile && isEmpty(profile) && profile.pending;
    if (profile.pending)
      this.timer = window.setTimeout(() => this.load(), PENDING[waiting ? 0 : 1]);
    if (waiting || (this.profile && figures(profile) === figures(this.profile))) return;
    if (!this.profile || isEmpty(this.profile) || this.atOnce) {
      this.show(profile);
    } else {
      this.next = profile;
      this.newer.hidden = false;
    }
    this.atOnce = false;
  }

  private failed(error: Refusal): void {
    const notice = refused(error, () => this.load());
    // Keep what is shown; the top bar says that the server is gone.
    if (!this.profile) this.into.replaceChildren(notice);
  }

  private show(profile: Told): void {
    const before = this.profile;
    this.profile = profile;
    this.next = null;
    this.newer.hidden = true;
    if (isEmpty(profile)) {
      this.into.replaceChildren(this.nothing());
      return;
    }
    // Otherwise the page would jump to the top.
    this.body.style.minHeight = `${this.body.offsetHeight}px`;
    this.build(profile);
    this.body.style.minHeight = '';
    if (!before) this.scrollTo(this.context.params.get('section'), true);
    else this.context.announce('Profile updated');
  }

  private nothing(): HTMLElement {
    const how = html('pre', {}, 'warden run --profile full -- python3 train.py');
    return empty(
      'No profile for this run',
      'A profile needs system metrics or a timeline. To record both, run:',
      how,
    );
  }

  private build({ report, dashboard }: Told): void {
    const writer = new SectionWriter();
    const parts: HTMLElement[] = [this.head(report)];
    if (report) parts.push(this.first(report));
    parts.push(...dashboard.map((section) => writer.section(section, DASHBOARD, 2)));
    parts.push(...(report?.sections ?? []).map((section) => writer.section(section, REPORT, 2)));
    this.endCharts();
    this.body.replaceChildren(...parts);
    if (!this.body.isConnected)
      this.into.replaceChildren(
        html('div', { class: 'profiler' }, this.contents.element, this.body),
      );
    this.endCharts = writer.draw();
    improveTables(this.body);
    this.contents.set(this.entries(report, dashboard), this.body);
  }

  private entries(report: ReportValue | null, dashboard: Profile['dashboard']): Entry[] {
    const entries: Entry[] = report ? [{ id: FIRST, title: 'What to do first', group: '' }] : [];
    for (const { id, title } of dashboard)
      entries.push({ id: DASHBOARD + id, title, group: 'Dashboard' });
    for (const { id, title } of report?.sections ?? [])
      entries.push({ id: REPORT + id, title, group: 'Report' });
    return entries;
  }

  private head(report: ReportValue | null): HTMLElement {
    const { id, has } = this.context.run;
    const link = (panel: string, words: string): HTMLElement =>
      html('a', { class: 'button small', href: `#/run/${encodeURIComponent(id)}/${panel}` }, words);
    const head = html('div', { class: 'profiler-head' });
    if (report) {
      const state = report.still_running ? 'Still running' : 'Run ended';
      head.append(html('p', { class: 'quiet' }, `${state}, as of ${report.written_at}`));
    }
    head.append(this.newer);
    if (has.timeline) head.append(link('timeline', 'Open the timeline'));
    if (has.metrics) head.append(link('system', 'System metrics'));
    if (has.reports) head.append(link('reports', 'Reports'));
    return head;
  }

  private first(report: Report): HTMLElement {
    const title = html('h2', { id: 'first-title' }, 'What to do first');
    const made = html(
      'section',
      { id: FIRST, tabindex: -1, 'aria-labelledby': 'first-title', class: 'card profiler-first' },
      title,
    );
    if (report.first.length > 0) {
      const items = report.first.map(({ title: words, text, gain, section }) => {
        const line = html(
          'p',
          { class: 'profiler-advice' },
          html('a', { href: this.address(REPORT + section) }, words),
        );
        if (gain)
          line.append(html('span', { class: 'badge warning' }, gain.replaceAll(' %', '\u00a0%')));
        return html('li', {}, line, paragraph({ text, tone: 'quiet' }));
      });
      made.append(html('ol', {}, ...items));
    }
    const said = report.no_advice;
    if (report.first.length === 0 && said.length === 0)
      made.append(paragraph({ text: 'No problems found', tone: 'good' }));
    made.append(...said.map(paragraph));
    return made;
  }

  private address(section: string): string {
    const params = new URLSearchParams({ section });
    return `#/run/${encodeURIComponent(this.context.run.id)}/profiler?${params.toString()}`;
  }

  private scrollTo(section: string | null, atOnce = false): void {
    const found = section ? this.body.querySelector<HTMLElement>(`#${CSS.escape(section)}`) : null;
    if (!found) return;
    const calm = atOnce || matchMedia('(prefers-reduced-motion: reduce)').matches;
    found.focus({ preventScroll: true });
    found.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
  }
}
