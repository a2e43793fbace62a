// How good a classifier is at a step: confusion matrix, ROC and precision-recall curves, calibration.

import './classifier.css';
import { below, type Client } from '../../api/client';
import type { TensorInfo } from '../../api/types';
import { counted } from '../../api/words';
import { html } from '../../base/dom';
import { figure } from '../../base/format';
import { Paced } from '../../base/paced';
import { improveTables } from '../../base/tables';
import { drawChart, type Drawn } from '../../charts/draw';
import { Choice, type Option, Pills } from '../common/fields';
import { Latest } from '../common/latest';
import { empty, loading, refused } from '../common/states';
import { labelCandidates, type Pair, pairOf, predictionCandidates } from './classifier_choice';
import {
  calibrationCurve,
  type ClassCurve,
  type Classifier,
  type ClassifierHeader,
  classRows,
  confusions,
  macro,
  matrixRows,
  MOST_CURVES,
  precisionCurve,
  rocCurve,
  shownCurves,
  thresholdsOf,
} from './classifier_data';
import type { Desk, TabView } from './state';
import { StepField } from './step_field';

const NUMBERS: Option[] = [
  { value: 'counts', label: 'Counts' },
  { value: 'shares', label: 'Shares of the label' },
];
const ALL = 'all';
const MOST_OPTIONS = 200; // Of a list of tensors.
const WIDE = 10; // Classes; a larger matrix has the whole width.
const KINDS: Record<ClassifierHeader['scores'], string> = {
  classes: 'Predictions are class ids.',
  probabilities: 'Predictions are probabilities.',
  scores: 'Predictions are scores from 0 to 1 that do not add up to 1.',
  logits: 'Predictions are logits; probabilities are computed from them.',
};

const number = (value: number | null): string => (value === null ? '–' : figure(value));
const percent = (share: number | null): string =>
  share === null ? '–' : `${figure(Math.round(share * 1000) / 10)} %`;

const option = ({ name, shape }: TensorInfo): Option => ({
  value: name,
  label: `${name} (${shape?.join('×') ?? ''})`,
});

export class ClassifierTab implements TabView {
  private readonly steps: StepField;
  private readonly labels = new Choice('Labels', (labels) =>
    this.desk.change({ labels, chosenClass: '' }, true),
  );
  private readonly predictions = new Choice('Predictions', (predictions) =>
    this.desk.change({ predictions, chosenClass: '' }, true),
  );
  private readonly numbers = new Pills('Numbers of the matrix', (view) =>
    this.desk.change({ view }, true),
  );
  private readonly classes = new Choice('Curves of', (chosen) =>
    this.desk.change({ chosenClass: chosen === ALL ? '' : chosen }, true),
  );
  private readonly box = html('div', { class: 'tensors-classifier' });
  private readonly latest = new Latest();
  private readonly soon = new Paced(() => this.load(), 60);
  private loaded: Classifier | null = null;
  private asked = '';
  private drawn = '';
  private stop: (() => void)[] = [];

  constructor(
    into: HTMLElement,
    private readonly client: Client,
    private readonly desk: Desk,
  ) {
    this.steps = new StepField(client, desk, () => this.show());
    const bar = html(
      'div',
      { class: 'common-bar tensors-activation-fields' },
      this.labels.element,
      this.predictions.element,
    );
    into.append(bar, this.steps.element, this.box);
  }

  show(): void {
    const pair = this.pair();
    this.fill(pair);
    const { labels, predictions } = pair;
    this.steps.element.hidden = !labels || !predictions;
    if (!labels || !predictions) return this.nothing(labels);
    this.steps.show(labels.name);
    const step = this.steps.step();
    const { mode, worker } = this.desk.state();
    const none = 'They were not saved in this mode or by this worker. Choose another one.';
    if (step === null)
      return this.clear(this.steps.none ? empty('No steps with labels', none) : loading());
    const question = JSON.stringify([labels.name, predictions.name, step, mode, worker]);
    if (question === this.asked) return this.draw();
    this.asked = question;
    this.soon.tell();
  }

  grown(): void {
    const { labels } = this.pair();
    if (labels) this.steps.grown(labels.name);
  }

  close(): void {
    this.latest.giveUp();
    this.soon.stop();
    this.steps.close();
    this.clear();
  }

  private pair(): Pair {
    const { labels, predictions } = this.desk.state();
    return pairOf(this.desk.list().tensors, labels, predictions);
  }

  private fill({ labels, predictions }: Pair): void {
    const all = this.desk.list().tensors;
    const candidates = labelCandidates(all).slice(0, MOST_OPTIONS);
    this.labels.set(candidates.map(option), labels?.name ?? '');
    const fitting = predictionCandidates(all, labels).slice(0, MOST_OPTIONS);
    this.predictions.set(fitting.map(option), predictions?.name ?? '');
    this.labels.show(candidates.length > 0);
    this.predictions.show(labels !== undefined);
  }

  private nothing(labels: TensorInfo | undefined): void {
    this.asked = '';
    const words = labels
      ? 'Choose the predictions above: a tensor with one number, or one row of scores, for each label.'
      : 'This view needs the values of labels (class numbers) and of predictions (probabilities, logits or classes) of the same step. Save them in the collections "labels" and "predictions", or choose both above.';
    this.clear(empty(labels ? 'No predictions' : 'No labels and predictions found', words));
  }

  private clear(...instead: Node[]): void {
    for (const stop of this.stop) stop();
    this.stop = [];
    this.loaded = null;
    this.drawn = '';
    this.box.replaceChildren(...instead);
  }

  private load(): void {
    const { labels, predictions } = this.pair();
    const step = this.steps.step();
    if (!labels || !predictions || step === null) return;
    const { mode, worker } = this.desk.state();
    const query = { labels: labels.name, predictions: predictions.name, step, mode, worker };
    this.latest.ask(
      (signal) =>
        this.client.columns<ClassifierHeader>(below(this.desk.run, 'classification'), {
          query,
          signal,
        }),
      (loaded) => {
        this.loaded = loaded;
        this.drawn = '';
        this.draw();
      },
      (error) => {
        this.asked = '';
        this.clear(refused(error, () => this.show()));
      },
    );
  }

  private get shares(): boolean {
    return this.desk.state().view === 'shares';
  }

  private draw(): void {
    const { loaded } = this;
    const { view, chosenClass } = this.desk.state();
    if (!loaded) return;
    const state = JSON.stringify([this.asked, view, chosenClass]);
    if (state === this.drawn) return;
    this.drawn = state;
    const held = this.box.contains(document.activeElement) ? document.activeElement : null;
    for (const stop of this.stop) stop();
    this.stop = [];
    this.numbers.set(NUMBERS, [this.shares ? 'shares' : 'counts']);
    const { curves } = loaded.header;
    this.classes.set(
      [
        { value: ALL, label: 'All classes' },
        ...curves.map((curve) => ({ value: String(curve.class), label: `Class ${curve.class}` })),
      ],
      curves.some((curve) => String(curve.class) === chosenClass) ? chosenClass : ALL,
    );
    this.classes.show(curves.length > 1);
    this.box.replaceChildren(...this.overview(loaded));
    this.charts(loaded);
    this.box.append(this.table(loaded));
    improveTables(this.box);
    if (held instanceof HTMLElement && held.isConnected) held.focus();
  }

  private overview(loaded: Classifier): HTMLElement[] {
    const { header } = loaded;
    const rows = classRows(loaded);
    const facts: [string, string][] = [
      ['Accuracy', percent(header.accuracy)],
      ['Macro F1', number(macro(rows.map(({ f1 }) => f1)))],
      ['Macro AUC', number(macro(header.curves.map(({ auc }) => auc)))],
      [
        'Macro average precision',
        number(macro(header.curves.map((curve) => curve.average_precision))),
      ],
      ['Samples', header.samples.toLocaleString('en')],
      ['Classes', header.all_classes.toLocaleString('en')],
    ];
    if (header.curves.length === 1) {
      for (const fact of facts) fact[0] = fact[0].replace(/^Macro (?=AUC|average)/, '');
    }
    const list = html(
      'dl',
      { class: 'facts tensors-facts' },
      ...facts.map(([name, value]) => html('div', {}, html('dt', {}, name), html('dd', {}, value))),
    );
    return [list, html('p', { class: 'common-note', role: 'status' }, noteOf(header))];
  }

  private charts(loaded: Classifier): void {
    const { header } = loaded;
    const labels = header.classes.map(({ id }) => String(id));
    const shade = this.shares ? 'shares' : 'counts';
    const matrix = this.figure('Confusion matrix', this.numbers.element);
    const wide = labels.length > WIDE ? ' wide' : '';
    const row = html('div', { class: `tensors-confused${wide}` });
    matrix.append(row);
    this.box.append(matrix);
    this.put(row, { kind: 'matrix', data: { labels, rows: matrixRows(loaded), show: shade } });
    const worst = confusions(loaded);
    if (worst.length > 0) row.append(confusionList(worst));
    if (header.why_no_curves !== '')
      this.box.append(html('p', { class: 'common-note' }, `No curves: ${header.why_no_curves}.`));
    this.curves(loaded);
    if (header.calibration.length === 0) return;
    const calibration = this.figure('Calibration');
    this.box.append(calibration);
    this.put(calibration, {
      kind: 'unit',
      xLabel: 'predicted probability',
      data: { curves: [calibrationCurve(loaded)], diagonal: true },
    });
    const error = `Expected calibration error: ${number(header.calibration_error)}. On the diagonal, predictions are as often right as their probability says.`;
    calibration.append(html('p', { class: 'common-note' }, error));
  }

  private curves(loaded: Classifier): void {
    const shown = shownCurves(loaded, this.desk.state().chosenClass);
    const [only] = shown;
    if (!only) return;
    const name = (curve: ClassCurve): string => `class ${curve.class}`;
    const all = loaded.header.curves.filter(({ auc }) => auc !== null).length;
    const roc = this.figure(
      shown.length === 1 ? `ROC of class ${only.class}, AUC ${number(only.auc)}` : 'ROC (AUC)',
      this.classes.element,
    );
    this.box.append(roc);
    if (shown.length === 1) {
      this.put(roc, {
        kind: 'roc',
        xLabel: 'false positive rate',
        data: thresholdsOf(loaded, only),
      });
    } else {
      this.put(roc, {
        kind: 'unit',
        xLabel: 'false positive rate',
        data: { curves: shown.map((one) => rocCurve(loaded, one, name(one))), diagonal: true },
      });
    }
    const heading =
      shown.length === 1
        ? `Precision and recall of class ${only.class}, average precision ${number(only.average_precision)}`
        : 'Precision and recall (average precision)';
    const precision = this.figure(heading);
    this.box.append(precision);
    this.put(precision, {
      kind: 'unit',
      xLabel: 'recall',
      data: { curves: shown.map((one) => precisionCurve(loaded, one, name(one))), diagonal: false },
    });
    if (shown.length === MOST_CURVES && all > MOST_CURVES)
      roc.append(
        html(
          'p',
          { class: 'common-note' },
          `The ${MOST_CURVES} of ${all} classes with the lowest AUC are shown. Choose a class to see its curves.`,
        ),
      );
  }

  private figure(title: string, ...controls: HTMLElement[]): HTMLElement {
    return html(
      'section',
      { class: 'tensors-chart' },
      html('div', { class: 'tensors-chart-head' }, html('h2', {}, title), ...controls),
    );
  }

  private put(into: HTMLElement, chart: Partial<Drawn> & Pick<Drawn, 'kind' | 'data'>): void {
    const place = html('div', { class: 'plot' });
    into.append(place);
    this.stop.push(drawChart(place, { xLabel: '', yLabel: '', ...chart }));
  }

  private table(loaded: Classifier): HTMLElement {
    const columns = ['Class', 'Samples', 'Recall', 'Precision', 'F1', 'AUC', 'Average precision'];
    const head = columns.map((name) => html('th', { scope: 'col', class: 'number' }, name));
    const rows = classRows(loaded).map(
      ({ id, samples, recall, precision, f1, auc, averagePrecision }) =>
        html(
          'tr',
          {},
          html('th', { scope: 'row', class: 'number' }, String(id)),
          ...[
            samples.toLocaleString('en'),
            percent(recall),
            percent(precision),
            number(f1),
            number(auc),
            number(averagePrecision),
          ].map((text) => html('td', { class: 'number' }, text)),
        ),
    );
    const label = 'Each class';
    const table = html(
      'table',
      { 'data-shown': 20 },
      html('caption', {}, label),
      html('thead', {}, html('tr', {}, ...head)),
      html('tbody', {}, ...rows),
    );
    return html('div', { class: 'table', tabindex: 0, role: 'group', 'aria-label': label }, table);
  }
}

function confusionList(worst: ReturnType<typeof confusions>): HTMLElement {
  const items = worst.map(([label, predicted, count, share]) =>
    html(
      'li',
      {},
      `${label} taken for ${predicted}: ${counted(count, 'sample')}, ${percent(share)} of class ${label}`,
    ),
  );
  return html(
    'div',
    { class: 'tensors-confusions' },
    html('h3', {}, 'Most frequent confusions'),
    html('ul', {}, ...items),
  );
}

function noteOf(header: ClassifierHeader): string {
  const words = [KINDS[header.scores]];
  if (header.left_out > 0)
    words.push(
      `${counted(header.left_out, 'sample')} left out: the label is not a class, or the prediction is not finite.`,
    );
  if (header.all_classes > header.classes.length)
    words.push(
      `The ${header.classes.length} most frequent of ${header.all_classes.toLocaleString('en')} classes are shown.`,
    );
  return words.join(' ');
}
