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
import { readChosen, writeChosen } from './chosen_names';
import { Contents, type Entry } from './contents';
import { type Arranged, arrange, howToRecord, meant, type Placed, REPORT } from './questions';
import { paragraph, SectionWriter } from './section';

const FIRST = 'first';
const MISSING = 'missing';
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
  private histograms: string[] | null; // Chosen by the reader.
  private arranged: Arranged = { questions: [], empty: [] };

  constructor(
    private readonly context: RunContext,
    private readonly into: HTMLElement,
  ) {
    this.histograms = readChosen(context.params);
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
    const { words, command } = howToRecord(this.context.run, false);
    return empty(
      'No profile for this run',
      `A profile needs system metrics or a timeline. ${words}`,
      ...(command ? [html('pre', {}, command)] : []),
    );
  }

  // All that has no data, once, and what to do about it.
  private missing(sections: readonly Placed[], detailed: boolean): HTMLElement {
    const { words, command } = howToRecord(this.context.run, detailed);
    const made = html(
      'section',
      { id: MISSING, tabindex: -1, class: 'card profiler-section' },
      html('h2', {}, 'Not recorded or not checked'),
    );
    if (words) made.append(paragraph({ text: words, tone: 'plain' }));
    if (command) made.append(html('pre', {}, command));
    const list = sections.map(({ id, section }) =>
      html(
        'div',
        { id, tabindex: -1 },
        html('dt', {}, section.title),
        html('dd', {}, ...section.text.map(({ text }) => html('p', {}, text))),
      ),
    );
    made.append(html('dl', { class: 'profiler-missing' }, ...list));
    return made;
  }

  private build({ report, dashboard }: Told): void {
    const writer = new SectionWriter({
      chosen: this.histograms,
      picked: (chosen, words) => this.picked(chosen, words),
    });
    const parts: HTMLElement[] = [this.head(report)];
    if (report) parts.push(this.first(report));
    this.arranged = arrange(dashboard, report?.sections ?? []);
    const { questions, empty: without } = this.arranged;
    for (const { title, sections } of questions) {
      parts.push(html('p', { class: 'profiler-question' }, title));
      parts.push(
        ...sections.map(({ id, section }) =>
          writer.section(section, id.slice(0, id.length - section.id.length), 2),
        ),
      );
    }
    const detailed = questions.some(({ sections }) =>
      sections.some(({ section }) => section.id === 'kernels' || section.id === 'cpu-operators'),
    );
    if (without.length > 0) parts.push(this.missing(without, detailed));
    this.endCharts();
    this.body.replaceChildren(...parts);
    if (!this.body.isConnected)
      this.into.replaceChildren(
        html('div', { class: 'profiler' }, this.contents.element, this.body),
      );
    this.endCharts = writer.draw();
    improveTables(this.body);
    this.contents.set(this.entries(report), this.body);
  }

  private picked(chosen: string[], words: string): void {
    this.histograms = chosen;
    const params = new URLSearchParams(this.context.params);
    params.delete('histogram');
    writeChosen(chosen, params);
    this.context.setParams(params);
    this.context.announce(words);
    if (this.profile) this.contents.set(this.entries(this.profile.report), this.body);
  }

  private entries(report: ReportValue | null): Entry[] {
    const entries: Entry[] = report ? [{ id: FIRST, title: 'What to do first', group: '' }] : [];
    for (const { title: group, sections } of this.arranged.questions)
      entries.push(...sections.map(({ id, section }) => ({ id, title: section.title, group })));
    if (this.arranged.empty.length > 0)
      entries.push({ id: MISSING, title: 'Not recorded or not checked', group: ' ' });
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
    if (has.timeline) {
      head.append(link('timeline', 'Open the timeline'));
      head.append(link('timeline?tab=flame&whole=1', 'Flame graph'));
      head.append(link('timeline?tab=path', 'What a step waits for'));
    }
    if (has.metrics) head.append(link('system', 'System metrics'));
    if (has.reports) head.append(link('reports', 'Reports'));
    const output = this.context.run.outputs['profile'];
    if (output)
      head.append(html('p', { class: 'quiet' }, 'Profiler output: ', html('code', {}, output)));
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
    writeChosen(this.histograms, params);
    return `#/run/${encodeURIComponent(this.context.run.id)}/profiler?${params.toString()}`;
  }

  private scrollTo(section: string | null, atOnce = false): void {
    const id = section ? meant(section, this.arranged) : null;
    const found = id ? this.body.querySelector<HTMLElement>(`#${CSS.escape(id)}`) : null;
    if (!found) return;
    const calm = atOnce || matchMedia('(prefers-reduced-motion: reduce)').matches;
    found.focus({ preventScroll: true });
    found.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
  }
}
