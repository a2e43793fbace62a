// The reports of a run: chosen from a list, shown in a sandboxed frame, downloadable.

import { below } from '../../api/client';
import type { LiveEvent, ReportFiles, RunDetail } from '../../api/types';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { utc } from '../../base/format';
import { downloadLink } from '../common/download';
import { Latest } from '../common/latest';
import { empty, loading, refused } from '../common/states';
import type { RunContext, View } from '../panel';
import { bytes, pageOf } from './report_files';

const KINDS: Record<string, string> = { profiler: 'Profiling report', xgboost: 'XGBoost report' };

export class ReportsView implements View {
  private readonly question = new Latest();
  private readonly page = new Latest();
  private readonly pace = new Paced(() => this.load(), 3000);
  private readonly list = html('ul', { class: 'reports-list', 'aria-label': 'Reports' });
  private readonly title = html('strong', { class: 'clip' });
  private readonly written = html('span', { class: 'quiet' });
  // It stays in its place while the others change: a click on it would be lost.
  private readonly renew = html(
    'button',
    { type: 'button', class: 'button small reports-newer', hidden: '' },
    'New version available: show it',
  );
  private readonly downloads = html('div', { class: 'row' });
  private readonly tools = html(
    'div',
    { class: 'row reports-tools' },
    this.title,
    this.written,
    html('span', { class: 'spacer' }),
    this.renew,
    this.downloads,
  );
  private readonly files = html('details', { class: 'reports-files' });
  private readonly frameBox = html('div', { class: 'reports-frame' });
  private reports: ReportFiles[] | null = null;
  private shown: { name: string; modified: number } | null = null;
  private chosen: ReportFiles | null = null;

  constructor(
    private readonly context: RunContext,
    private readonly into: HTMLElement,
  ) {
    into.append(loading('Loading reports …'));
    this.renew.addEventListener('click', () => this.showNewer());
    this.load();
  }

  update(run: RunDetail): void {
    if (run.has.reports) this.pace.tell();
  }

  live(event: LiveEvent): void {
    if (event.event === 'back' || event.event === 'run') this.pace.tell();
  }

  navigate(): void {
    if (this.reports && this.reports.length > 0) this.show(this.reports);
  }

  close(): void {
    this.question.giveUp();
    this.page.giveUp();
    this.pace.stop();
  }

  private load(): void {
    this.question.ask(
      (signal) =>
        this.context.client.get<ReportFiles[]>(below(this.context.run.id, 'reports'), { signal }),
      (reports) => this.loaded(reports),
      (error) => {
        if (!this.reports) this.into.replaceChildren(refused(error, () => this.load()));
      },
    );
  }

  private loaded(reports: ReportFiles[]): void {
    const first = !this.reports || this.reports.length === 0;
    this.reports = reports;
    if (reports.length === 0) {
      this.into.replaceChildren(this.none());
      return;
    }
    if (first) {
      const main = html(
        'section',
        { class: 'card flush reports-main', 'aria-label': 'Report' },
        this.tools,
        this.files,
        this.frameBox,
      );
      this.into.replaceChildren(html('div', { class: 'reports' }, this.list, main));
    }
    this.show(reports);
  }

  private none(): HTMLElement {
    const { folder } = this.context.run;
    const running = this.context.run.status === 'InProgress';
    const how = html(
      'pre',
      {},
      `warden report profiler ${folder || 'FOLDER'}\nwarden report xgboost ${folder || 'FOLDER'}`,
    );
    const rule =
      '“warden run” writes a report when it ends. Jobs write one if they use the rule ProfilerReport or CreateXgboostReport.';
    const title = running ? 'No report yet' : 'This run has no report';
    return empty(
      title,
      rule,
      'To write one from the recorded data, run:',
      how,
      'It then appears here.',
    );
  }

  private show(reports: readonly ReportFiles[]): void {
    const wanted = this.context.params.get('report');
    const chosen = reports.find(({ name }) => name === wanted) ?? reports[0];
    this.list.replaceChildren(...reports.map((report) => this.entry(report, report === chosen)));
    this.list.hidden = reports.length < 2 && wanted === null;
    if (chosen) this.open(chosen);
  }

  private entry(report: ReportFiles, chosen: boolean): HTMLElement {
    const params = new URLSearchParams({ report: report.name });
    const href = `#/run/${encodeURIComponent(this.context.run.id)}/reports?${params.toString()}`;
    const [title, kind] = [report.title || report.name, KINDS[report.kind] ?? report.kind];
    const link = html('a', { href }, html('strong', {}, title));
    if (kind !== title) link.append(html('span', {}, kind));
    link.append(html('span', {}, utc(report.modified)));
    if (chosen) link.setAttribute('aria-current', 'true');
    return html('li', {}, link);
  }

  private open(report: ReportFiles): void {
    const page = pageOf(report);
    this.fillTools(report, page);
    this.fillFiles(report);
    // Keep the page that is being read; the button loads the newer one.
    if (this.shown?.name === report.name) return;
    this.shown = { name: report.name, modified: report.modified };
    if (page === undefined)
      this.frameBox.replaceChildren(
        empty('This report has no page', 'Download its files with the links above.'),
      );
    else this.showPage(report, page);
  }

  private showPage(report: ReportFiles, page: string): void {
    this.frameBox.replaceChildren(loading('Loading the report …'));
    this.page.ask(
      () => this.context.client.linkTo(this.path(report, page)),
      (src) => this.frameBox.replaceChildren(this.frame(report, src)),
      (error) => this.frameBox.replaceChildren(refused(error, () => this.showPage(report, page))),
    );
  }

  private frame(report: ReportFiles, src: string): HTMLIFrameElement {
    return html('iframe', {
      title: report.title || report.name,
      sandbox: 'allow-scripts allow-downloads',
      referrerpolicy: 'no-referrer',
      src,
    });
  }

  private path(report: ReportFiles, file: string): string {
    const parts = [report.name, ...file.split('/')].map(encodeURIComponent).join('/');
    return below(this.context.run.id, `reports/${parts}`);
  }

  private link(
    report: ReportFiles,
    file: string,
    words: string,
    attributes: Record<string, string> = {},
  ): HTMLElement {
    const what = { path: this.path(report, file), query: { download: 1 } };
    const name = file.split('/').pop() ?? file;
    return downloadLink(this.context, { ...what, file: name }, words, attributes);
  }

  private fillTools(report: ReportFiles, page: string | undefined): void {
    const notebook = report.files.find(({ path }) => path.endsWith('.ipynb'))?.path;
    const keep = (path: string, words: string): HTMLElement =>
      this.link(report, path, words, { class: 'button small' });
    this.chosen = report;
    this.title.textContent = report.title || report.name;
    this.written.textContent = `written ${utc(report.modified)}`;
    const isNewer = this.shown?.name === report.name && report.modified > this.shown.modified;
    this.renew.hidden = page === undefined || !isNewer;
    this.downloads.replaceChildren();
    if (page !== undefined) this.downloads.append(keep(page, 'Download the page'));
    if (notebook !== undefined) this.downloads.append(keep(notebook, 'Download the notebook'));
  }

  private showNewer(): void {
    const page = this.chosen ? pageOf(this.chosen) : undefined;
    if (!this.chosen || page === undefined) return;
    this.shown = { name: this.chosen.name, modified: this.chosen.modified };
    this.showPage(this.chosen, page);
    this.renew.hidden = true;
  }

  private fillFiles(report: ReportFiles): void {
    const open = this.files.open;
    const list = html('ul');
    for (const { path, bytes: size } of report.files) {
      const link = this.link(report, path, path);
      list.append(html('li', {}, link, ' ', html('span', { class: 'quiet number' }, bytes(size))));
    }
    const count = report.files.length;
    this.files.replaceChildren(
      html('summary', {}, count === 1 ? 'Report file' : `All ${count} files`),
      list,
    );
    this.files.open = open;
  }
}
