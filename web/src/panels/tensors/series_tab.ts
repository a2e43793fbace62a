// Statistics over steps: several of one tensor, or one of several tensors.

import type { Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import { html } from '../../base/dom';
import { SeriesPlot } from '../../plots/series_plot';
import { type Asked, Viewport } from '../../plots/viewport';
import { Pills } from '../common/fields';
import { askSeries, plotted, type SeriesHeader, shortNames, type Wanted } from '../common/series';
import { refused } from '../common/states';
import { inOrder, statisticWords, usualStatistics } from '../common/statistics';
import type { Desk, TabView } from './state';

// The others are available on request: nineteen buttons are too many.
const USUAL = ['value', 'min', 'mean', 'max', 'std', 'l2', 'abs_mean', 'abs_max', 'zeros', 'nans'];
const MORE = 'more …';

export class SeriesTab implements TabView {
  private readonly plot: SeriesPlot;
  private readonly pills: Pills;
  private readonly note = html('p', { class: 'common-note', role: 'status' });
  private readonly trouble = html('div');
  private readonly logScale = html('input', { type: 'checkbox' });
  private readonly box = html('div', { class: 'tensors-plot' });
  private readonly viewport: Viewport<Columns<SeriesHeader>>;
  private waiting = false;
  private wasLog = false;
  private wanted: readonly Wanted[] = [];
  private question = '';
  private answer: Columns<SeriesHeader> | null = null;
  private everything = false; // All statistics are shown.

  constructor(
    into: HTMLElement,
    private readonly client: Client,
    private readonly desk: Desk,
  ) {
    this.pills = new Pills('Statistics', (statistic) => this.pick(statistic));
    const log = html('label', { class: 'check' }, this.logScale, 'Log scale');
    this.logScale.addEventListener('change', () => desk.change({ log: this.logScale.checked }));
    into.append(
      html('div', { class: 'common-bar' }, this.pills.element, log),
      this.trouble,
      this.box,
      this.note,
    );
    this.plot = new SeriesPlot(this.box, {
      label: '',
      height: 360,
      xLabel: 'Step',
      onRange: (range, settled) => {
        this.viewport.look(range, settled);
        if (settled) desk.change({ range });
      },
    });
    this.viewport = new Viewport({
      ask: (asked, signal) => this.ask(asked, signal),
      show: (answer) => this.draw(answer),
      pixels: () => this.box.clientWidth,
    });
  }

  show(): void {
    const state = this.desk.state();
    this.logScale.checked = state.log;
    this.pills.set(this.options(), this.statistics());
    const marks = state.step === null ? [] : [{ x: state.step, label: `Step ${state.step}` }];
    this.plot.setOptions({ label: this.title(), log: state.log, range: state.range, marks });
    const { tensors, mode, worker, range } = state;
    const question = JSON.stringify([tensors, this.statistics(), mode, worker]);
    this.viewport.look(range, true);
    if (question === this.question) {
      if (this.answer && state.log !== this.wasLog) this.draw(this.answer);
      this.wasLog = state.log;
      return;
    }
    this.wasLog = state.log;
    this.question = question;
    this.wanted = tensors.flatMap((tensor) =>
      this.statistics().map((statistic) => ({ tensor, statistic })),
    );
    this.viewport.refresh();
  }

  grown(): void {
    if (!this.waiting) this.viewport.refresh();
  }

  close(): void {
    this.viewport.close();
    this.plot.destroy();
  }

  private several(): boolean {
    return this.desk.state().tensors.length > 1;
  }

  private available(): string[] {
    return inOrder(
      this.desk.state().tensors.flatMap((tensor) => this.desk.info(tensor)?.statistics ?? []),
    );
  }

  private options(): { value: string; label: string; title: string }[] {
    const all = inOrder([...this.available(), ...this.statistics()]);
    const offered = all.filter(
      (name) => this.everything || USUAL.includes(name) || this.statistics().includes(name),
    );
    const options = offered.map((value) => ({ value, label: value, title: statisticWords(value) }));
    const rest = all.length - offered.length;
    return rest > 1
      ? [...options, { value: MORE, label: MORE, title: `${rest} more statistics` }]
      : options;
  }

  private statistics(): readonly string[] {
    const chosen = this.desk.state().statistics;
    if (chosen.length === 0) return usualStatistics(this.available(), this.several());
    return this.several() ? chosen.slice(0, 1) : chosen;
  }

  private pick(statistic: string): void {
    if (statistic === MORE) {
      this.everything = true;
      return this.show();
    }
    if (this.several()) return this.desk.change({ statistics: [statistic] }, true);
    const now = this.statistics();
    const without = now.filter((one) => one !== statistic);
    const next = without.length < now.length ? without : inOrder([...now, statistic]);
    this.desk.change({ statistics: next.length > 0 ? next : [statistic] }, true);
  }

  private title(): string {
    const { tensors } = this.desk.state();
    const [statistic = ''] = this.statistics();
    return this.several()
      ? `${capital(statisticWords(statistic))} of ${tensors.length} tensors`
      : (tensors[0] ?? '');
  }

  private async ask(asked: Asked, signal: AbortSignal): Promise<Columns<SeriesHeader> | null> {
    const { mode, worker } = this.desk.state();
    if (this.wanted.length === 0) return null;
    this.wait(true);
    const answer = await askSeries(
      this.client,
      { run: this.desk.run, wanted: this.wanted, mode, worker, asked },
      signal,
    );
    if (signal.aborted) return null;
    this.wait(false);
    this.trouble.replaceChildren();
    if (answer.ok) return answer.value;
    this.trouble.append(refused(answer.error, () => this.viewport.refresh()));
    return null;
  }

  private wait(waiting: boolean): void {
    this.waiting = waiting;
    this.box.setAttribute('aria-busy', String(waiting));
  }

  private draw(answer: Columns<SeriesHeader>): void {
    this.answer = answer;
    const { tensors } = this.desk.state();
    const names = this.several()
      ? shortNames(tensors)
      : this.wanted.map(({ statistic }) => statistic);
    const series = plotted(answer, names);
    this.plot.setData(series);
    const hidden =
      this.desk.state().log &&
      series.some(({ low }) => Array.from(low).some((value) => value <= 0));
    const lost = hidden ? ['Zero and negative values are not shown on a log scale.'] : [];
    this.note.textContent = [...notes(answer.header, this.wanted), ...lost].join(' ');
  }
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function notes(header: SeriesHeader, wanted: readonly Wanted[]): string[] {
  const lines: string[] = [];
  const missing = wanted.filter((_, i) => header.series[i]?.found !== true);
  if (missing.length > 0) {
    const names = missing.map(({ tensor, statistic }) => `${statistic} of ${tensor}`);
    const shown =
      names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');
    lines.push(
      `Not saved for this mode and worker: ${shown}. A hook saves the reductions listed in the collection; ` +
        'if it saves the values, every statistic is available.',
    );
  }
  const most = Math.max(1, ...header.series.map(({ steps_per_point }) => steps_per_point));
  const nans = wanted.filter((_, i) => (header.series[i]?.nans ?? 0) > 0).length;
  if (nans > 0) lines.push(`${nans === 1 ? 'One series contains' : `${nans} series contain`} NaN.`);
  if (most > 1)
    lines.push(
      `Each point covers up to ${Math.ceil(most)} steps; the band shows their minimum to maximum. Zoom in for more detail.`,
    );
  return lines;
}
