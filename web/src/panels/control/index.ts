// Controls in the heading of a run: refresh, pause, profile, add a rule, download the report, stop.

import './panel.css';
import { below } from '../../api/client';
import type { LiveState } from '../../api/live';
import type { ReportFiles, RunDetail } from '../../api/types';
import { html } from '../../base/dom';
import { download } from '../common/download';
import { sentence } from '../common/states';
import type { ControlContext } from './context';
import { liveWords } from './live_words';
import { openRuleDialog } from './rule_dialog';
import { openStopDialog } from './stop_dialog';

export interface ControlBar {
  update: (run: RunDetail) => void;
  setConnection: (state: LiveState) => void;
  close: () => void;
}

const INTERVALS: [milliseconds: number, words: string][] = [
  [100, '0.1 s'],
  [200, '0.2 s'],
  [500, '0.5 s'],
  [1000, '1 s'],
  [5000, '5 s'],
  [60000, '1 min'],
];

const DETAILED_STEPS = 10;

class Bar implements ControlBar {
  private run: RunDetail;
  private paused = false;
  private connection: LiveState = 'live';
  private busy = false; // A request is in flight; the next must not overtake it.
  private readonly live = this.button('Live', 'Update this page live, or pause it', () =>
    this.toggleLive(),
  );
  private readonly profiling = this.button('Profiling', 'Record system metrics', () =>
    this.toggleProfiling(),
  );
  private readonly framework = this.button(
    'Framework',
    'Record steps and passes, and operators and kernels of the next three steps',
    () => this.toggleFramework(),
  );
  private readonly details = this.button(
    `Profile ${DETAILED_STEPS} steps`,
    `Record operators and kernels of the next ${DETAILED_STEPS} steps`,
    () =>
      void this.setProfiling(
        { steps: DETAILED_STEPS },
        `Recording operators and kernels of the next ${DETAILED_STEPS} steps`,
      ),
  );
  private readonly interval = html('select', { 'aria-label': 'Sampling interval' });
  private readonly rule = this.button('Rules …', 'Add a profiler rule', () => this.addRule());
  private readonly report = this.button(
    'Report',
    'Download the report as one file',
    () => void this.download(),
  );
  private readonly page = this.button(
    'Export',
    'Download this run as one HTML file that opens offline',
    () => void this.export(),
  );
  private readonly stop = this.button('Stop …', 'Stop the training', () => this.askStop());
  private readonly dialogs = html('div');

  constructor(
    private readonly context: ControlContext,
    into: HTMLElement,
  ) {
    this.run = context.run;
    this.interval.append(...INTERVALS.map(([value, words]) => html('option', { value }, words)));
    this.interval.addEventListener(
      'change',
      () =>
        void this.setProfiling(
          { interval_ms: Number(this.interval.value) },
          'Sampling interval changed',
        ),
    );
    this.stop.classList.add('danger');
    const refresh = this.button('Refresh', 'Reload all data', () => {
      context.reload();
      context.announce('Refreshed');
    });
    const more = html(
      'button',
      { type: 'button', class: 'button control-more', 'aria-expanded': 'false' },
      'Control',
    );
    const rest = html('div', { class: 'control-rest' });
    // Those who may only look have no use for the rest.
    if (this.mayWrite())
      rest.append(
        this.profiling,
        html('label', { class: 'field inline' }, this.interval),
        this.framework,
        this.details,
        this.rule,
        this.report,
        this.page,
        this.stop,
      );
    else rest.append(this.report, this.page);
    more.addEventListener('click', () => {
      const open = rest.classList.toggle('open');
      more.setAttribute('aria-expanded', String(open));
    });
    into.append(
      html(
        'div',
        { class: 'control-bar', role: 'toolbar', 'aria-label': 'Run controls' },
        refresh,
        this.live,
        more,
        rest,
      ),
      this.dialogs,
    );
    this.update(this.run);
  }

  update(run: RunDetail): void {
    this.run = run;
    const { control } = run;
    this.showLive();
    this.press(this.profiling, run.profiler.enabled);
    this.profiling.textContent = run.profiler.enabled ? 'Profiling on' : 'Profiling off';
    this.allow(this.profiling, control.profiling);
    this.press(this.framework, run.profiler.framework);
    this.framework.textContent = `Framework profiling ${run.profiler.framework ? 'on' : 'off'}`;
    this.allow(this.framework, control.profiling);
    this.allow(this.details, control.details);
    this.allow(this.rule, control.rules);
    this.allow(this.stop, control.stop);
    this.explain(
      this.report,
      run.has.reports ? '' : 'No report yet. It is written when the run ends.',
    );
    this.showInterval(run);
  }

  setConnection(state: LiveState): void {
    this.connection = state;
    this.showLive();
  }

  close(): void {
    this.dialogs.replaceChildren();
  }

  private showInterval(run: RunDetail): void {
    const value = run.profiler.interval_ms;
    const possible = run.control.profiling;
    this.interval.disabled = !possible;
    this.interval.hidden = value === null;
    this.interval.title = possible ? 'Time between two samples' : this.whyNot();
    if (value === null) return;
    if (
      !INTERVALS.some(([known]) => known === value) &&
      !this.interval.querySelector(`option[value="${Number(value)}"]`)
    ) {
      this.interval.append(html('option', { value }, `${value / 1000} s`));
    }
    if (document.activeElement !== this.interval) this.interval.value = String(value);
  }

  private button(words: string, title: string, act: () => void): HTMLButtonElement {
    const button = html(
      'button',
      { type: 'button', class: 'button', title, 'data-title': title },
      words,
    );
    button.addEventListener('click', () => {
      // Not [disabled]: keyboard and touch users must be able to reach the reason.
      if (button.getAttribute('aria-disabled') === 'true') this.context.announce(button.title);
      else act();
    });
    return button;
  }

  private press(button: HTMLButtonElement, on: boolean): void {
    button.setAttribute('aria-pressed', String(on));
  }

  private mayWrite(): boolean {
    return this.context.session.scopes.includes('write');
  }

  private whyNot(): string {
    return sentence(this.run.control.why_not || 'not available for this run');
  }

  private allow(button: HTMLButtonElement, possible: boolean): void {
    this.explain(button, possible ? '' : this.whyNot());
  }

  // reason: why it is disabled; '' if it is enabled.
  private explain(button: HTMLButtonElement, reason: string): void {
    button.setAttribute('aria-disabled', String(reason !== ''));
    button.title = reason || (button.dataset['title'] ?? '');
  }

  private toggleLive(): void {
    this.paused = !this.paused;
    this.showLive();
    this.context.setPaused(this.paused);
    this.context.announce(this.paused ? 'Paused. The page does not update.' : 'Live');
  }

  private showLive(): void {
    const { words, pressed, title } = liveWords(this.paused, this.connection);
    this.press(this.live, pressed);
    this.live.title = title;
    if (this.live.textContent !== words) this.live.textContent = words;
  }

  private toggleProfiling(): void {
    const enabled = !this.run.profiler.enabled;
    void this.setProfiling({ enabled }, enabled ? 'Profiling is on' : 'Profiling is off');
  }

  private toggleFramework(): void {
    const framework = !this.run.profiler.framework;
    void this.setProfiling(
      { framework },
      framework ? 'Framework profiling is on' : 'Framework profiling is off',
    );
  }

  private async setProfiling(
    change: { enabled?: boolean; interval_ms?: number; framework?: boolean; steps?: number },
    done: string,
  ): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const answer = await this.context.client.send('POST', below(this.run.id, 'profiling'), change);
    this.busy = false;
    if (answer.ok) this.context.announce(`${done}.`);
    else this.context.announce(`Could not change profiling: ${answer.error.message}`, 'warning');
    this.interval.blur();
    this.context.reload();
  }

  private addRule(): void {
    openRuleDialog(this.context, this.run, this.dialogs);
  }

  private askStop(): void {
    openStopDialog(this.context, this.run, this.dialogs);
  }

  private async export(): Promise<void> {
    this.context.announce('Exporting the run …');
    await download(this.context, { path: below(this.run.id, 'export.html'), file: '' });
  }

  private async download(): Promise<void> {
    const answer = await this.context.client.get<ReportFiles[]>(below(this.run.id, 'reports'));
    if (!answer.ok) {
      this.context.announce(`Could not load the reports: ${answer.error.message}`, 'warning');
      return;
    }
    const pages = answer.value.flatMap(({ name, kind, files }) =>
      files.filter(({ path }) => path.endsWith('.html')).map(({ path }) => ({ name, kind, path })),
    );
    const page = pages.find(({ kind }) => kind === 'profiler') ?? pages[0];
    if (!page) {
      this.context.announce('No report yet', 'warning');
      return;
    }
    const path = below(
      this.run.id,
      `reports/${encodeURIComponent(page.name)}/${page.path.split('/').map(encodeURIComponent).join('/')}`,
    );
    await download(this.context, { path, query: { download: 1 }, file: '' });
  }
}

export function openControl(context: ControlContext, into: HTMLElement): ControlBar {
  return new Bar(context, into);
}
