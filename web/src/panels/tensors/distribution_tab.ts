// The distribution of a tensor's values over steps: ridges, a heat map, or quantile bands.

import { below, type Client } from '../../api/client';
import type { Columns } from '../../api/columns';
import { html } from '../../base/dom';
import { Paced } from '../../base/paced';
import { figure } from '../../base/format';
import { tickWriter } from '../../base/tick_text';
import { HeatCanvas } from '../../plots/heat_canvas';
import { type PlotSeries, SeriesPlot } from '../../plots/series_plot';
import { Pills } from '../common/fields';
import { Latest } from '../common/latest';
import { stepsOf } from '../common/series';
import { empty, loading, refused } from '../common/states';
import { sharesOf } from './histograms';
import { Ridge } from './ridge';
import { type Desk, focused, type TabView } from './state';

interface Header {
  kind: 'values' | 'reductions';
  tensor: string;
  count: number;
  sampled?: number; // Not 0: the number of sampled values.
}

type View = 'ridge' | 'heat' | 'bands';
const VIEWS: { value: View; label: string; title: string }[] = [
  { value: 'ridge', label: 'Ridge', title: 'One histogram per step, one behind another' },
  {
    value: 'heat',
    label: 'Heat',
    title: 'One column per step, darker where there are more values',
  },
  {
    value: 'bands',
    label: 'Quantiles',
    title: 'Bands that contain 50, 90, 98 and 100 % of the values',
  },
];

const QUANTILES = 9;
const BINS = 80;

interface Drawn {
  destroy: () => void;
}

export class DistributionTab implements TabView {
  private readonly pills: Pills;
  private readonly box = html('div', { class: 'tensors-distribution' });
  private readonly note = html('p', { class: 'common-note' });
  private readonly latest = new Latest();
  private drawn: Drawn | null = null;
  private answer: Columns<Header> | null = null;
  private asked = '';
  private seen = ''; // The view in which `answer` is drawn.
  // Histograms are work for the server: one step more in sixty is not worth a request every second.
  private readonly again = new Paced(() => this.ask(this.asked, false), 5000);

  constructor(
    into: HTMLElement,
    private readonly client: Client,
    private readonly desk: Desk,
  ) {
    this.pills = new Pills('View', (view) => desk.change({ view }, true));
    into.append(html('div', { class: 'common-bar' }, this.pills.element), this.box, this.note);
  }

  show(): void {
    const { mode, worker, range } = this.desk.state();
    const question = JSON.stringify([focused(this.desk.state()), mode, worker, range]);
    if (question !== this.asked) this.ask(question, true);
    else if (this.seen !== this.view) this.draw();
  }

  grown(): void {
    if (!this.latest.waiting) this.again.tell();
  }

  close(): void {
    this.latest.giveUp();
    this.again.stop();
    this.clear();
  }

  private get view(): View {
    return VIEWS.find(({ value }) => value === this.desk.state().view)?.value ?? 'ridge';
  }

  private clear(...instead: Node[]): void {
    this.drawn?.destroy();
    this.drawn = null;
    this.box.replaceChildren(...instead);
  }

  private ask(question: string, fresh: boolean): void {
    this.asked = question;
    const { mode, worker, range } = this.desk.state();
    const tensor = focused(this.desk.state());
    if (fresh) {
      this.answer = null;
      this.clear(loading('Computing histograms …'));
    }
    const query = {
      tensor,
      mode,
      worker,
      ...stepsOf({ from: range?.[0], to: range?.[1] }),
      rows: 60,
      bins: BINS,
    };
    this.latest.ask(
      (signal) =>
        this.client.columns<Header>(below(this.desk.run, 'distributions'), { query, signal }),
      (answer) => {
        this.answer = answer;
        this.draw();
      },
      (error) => this.clear(refused(error, () => this.ask(question, true))),
    );
  }

  private draw(): void {
    const { answer } = this;
    if (!answer) return;
    const steps = answer.column('steps');
    const values = answer.header.kind === 'values';
    this.pills.set(values ? VIEWS : [], [this.view]);
    this.seen = this.view;
    this.clear();
    this.note.textContent = noteOf(answer, values);
    if (steps.length === 0) {
      this.box.append(
        empty(
          'No steps with this tensor',
          'Choose another mode or worker, or a wider range of steps.',
        ),
      );
    } else if (!values) {
      this.drawn = this.drawReductions(answer);
    } else {
      this.drawn = {
        ridge: () => this.drawRidge(answer),
        heat: () => this.drawHeat(answer),
        bands: () => this.drawBands(answer),
      }[this.view]();
    }
  }

  private pick(step: number): void {
    this.desk.change({ step, tab: 'values', view: '' }, true);
  }

  private drawRidge(answer: Columns<Header>): Drawn {
    const ridge = new Ridge(this.box, (step) => this.pick(step));
    ridge.setData({
      steps: answer.column('steps'),
      edges: answer.column('edges'),
      counts: answer.column('counts'),
    });
    return ridge;
  }

  // One row per bin, the largest values at the top.
  private drawHeat(answer: Columns<Header>): Drawn {
    const [steps, edges, counts] = [
      answer.column('steps'),
      answer.column('edges'),
      answer.column('counts'),
    ];
    const { rows, shares } = sharesOf({ steps, edges, counts });
    const heat = new HeatCanvas(this.box, {
      label: `Values of ${answer.header.tensor} by step`,
      rows,
      rowHeight: 5,
      ramp: 'log',
      xLabel: 'step',
      write: (value) => `${figure(value)} % of the values`,
      writeX: (x) => Math.round(x).toLocaleString('en'),
      onPick: (_, x) => this.pick(x),
    });
    heat.setData(steps, shares);
    return heat;
  }

  private plot(series: PlotSeries[], label: string): Drawn {
    const plot = new SeriesPlot(this.box, {
      label,
      height: 380,
      xLabel: 'Step',
      range: this.desk.state().range,
      onRange: (range, settled) => {
        if (settled)
          this.desk.change({
            range: range && [Math.max(0, Math.floor(range[0])), Math.ceil(range[1])],
          });
      },
    });
    plot.setData(series);
    return plot;
  }

  private drawBands(answer: Columns<Header>): Drawn {
    const [steps, quantiles] = [answer.column('steps'), answer.column('quantiles')];
    const take = (which: number): Float64Array =>
      Float64Array.from(steps, (_, i) => quantiles[i * QUANTILES + which] ?? NaN);
    const median = take(4);
    const band = (name: string, low: number, high: number): PlotSeries => ({
      name,
      x: steps,
      low: take(low),
      high: take(high),
      mean: median,
      colour: 0,
    });
    const series = [band('all', 0, 8), band('98 %', 1, 7), band('90 %', 2, 6), band('50 %', 3, 5)];
    return this.plot(series, `Quantiles of ${answer.header.tensor}; the line is the median`);
  }

  private drawReductions(answer: Columns<Header>): Drawn {
    const [x, low, high, mean, std] = ['steps', 'low', 'high', 'mean', 'std'].map((name) =>
      answer.column(name),
    );
    const none = new Float64Array();
    const series: PlotSeries[] = [
      {
        name: 'minimum to maximum',
        x: x ?? none,
        low: low ?? none,
        high: high ?? none,
        mean: mean ?? none,
        colour: 0,
      },
    ];
    if (std && mean && std.some(Number.isFinite)) {
      const away = (sign: number): Float64Array =>
        Float64Array.from(std, (value, i) => (mean[i] ?? NaN) + sign * value);
      series.push({
        name: 'mean ± standard deviation',
        x: x ?? none,
        low: away(-1),
        high: away(1),
        mean,
        colour: 0,
      });
    }
    return this.plot(series, `Saved reductions of ${answer.header.tensor}`);
  }
}

function noteOf(answer: Columns<Header>, values: boolean): string {
  if (!values) {
    return (
      'Only reductions of this tensor were saved, so it has no histogram. To get histograms, save the values: ' +
      'remove the reductions from its collection, or add save_raw_tensor=True to them.'
    );
  }
  const count = answer.header.count.toLocaleString('en');
  const [edges, steps] = [answer.column('edges'), answer.column('steps')];
  const ends = [edges[0] ?? NaN, edges[edges.length - 1] ?? NaN];
  const range = edges.length > 1 ? `, between ${ends.map(tickWriter(ends)).join(' and ')}` : '';
  const lines = [
    `${count} ${answer.header.count === 1 ? 'value' : 'values'} at each of ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}${range}.`,
  ];
  const odd = Array.from(answer.column('not_finite')).reduce(
    (most, value) => Math.max(most, value),
    0,
  );
  if (odd > 0)
    lines.push(`Up to ${odd.toLocaleString('en')} of them are NaN or infinite and are not shown.`);
  if (answer.header.sampled)
    lines.push(`${answer.header.sampled.toLocaleString('en')} values per step were sampled.`);
  return lines.join(' ');
}
