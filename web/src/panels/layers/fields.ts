// Which tensors, statistic, mode and worker are shown.

import type { Mode, TensorInfo, TensorList } from '../../api/types';
import { html } from '../../base/dom';
import { Choice, plainOptions } from '../common/fields';
import { inOrder, statisticWords } from '../common/statistics';
import { collectionOptions, insideOf, usualCollection, usualStatistic } from './choices';
import type { State } from './state';

const MODE_WORDS: Record<Mode, string> = {
  GLOBAL: 'All (global steps)',
  TRAIN: 'Training',
  EVAL: 'Evaluation',
  PREDICT: 'Prediction',
};

export class LayersFields {
  readonly element: HTMLElement;
  private readonly collectionChoice: Choice;
  private readonly statisticChoice: Choice;
  private readonly mode: Choice;
  private readonly worker: Choice;
  private readonly match = html('input', {
    type: 'search',
    placeholder: 'Regular expression',
    spellcheck: 'false',
  });
  private list: TensorList | null = null;
  private state: State | null = null;

  constructor(change: (change: Partial<State>) => void) {
    this.collectionChoice = new Choice('Collection', (collection) =>
      change({ collection, statistic: '' }),
    );
    this.statisticChoice = new Choice('Statistic', (statistic) => change({ statistic }));
    this.mode = new Choice('Mode', (mode) =>
      change({ mode: mode as Mode, range: null, step: null }),
    );
    this.worker = new Choice('Worker', (worker) => change({ worker }));
    this.match.addEventListener('change', () => change({ match: this.match.value.trim() }));
    const name = html('label', { class: 'field' }, 'Name filter', this.match);
    this.element = html(
      'div',
      { class: 'common-bar' },
      this.collectionChoice.element,
      this.statisticChoice.element,
      name,
      this.mode.element,
      this.worker.element,
    );
  }

  show(list: TensorList, state: State): void {
    this.list = list;
    this.state = state;
    this.collectionChoice.set(collectionOptions(list.tensors), this.collection);
    const all = inOrder(this.inside().flatMap(({ statistics }) => statistics));
    this.statisticChoice.set(
      all.map((value) => ({ value, label: statisticWords(value) })),
      this.statistic,
    );
    const modes: Mode[] = ['GLOBAL', ...list.modes.filter((mode) => mode !== 'GLOBAL')];
    this.mode.set(
      modes.map((value) => ({ value, label: MODE_WORDS[value] })),
      state.mode,
    );
    this.mode.show(modes.length > 1);
    this.worker.set(plainOptions(list.workers), state.worker || (list.workers[0] ?? ''));
    this.worker.show(list.workers.length > 1 || state.worker !== '');
    if (this.match !== document.activeElement) this.match.value = state.match;
  }

  get collection(): string {
    return this.state?.collection || usualCollection(this.list?.tensors ?? []);
  }

  get statistic(): string {
    return this.state?.statistic || usualStatistic(this.inside());
  }

  private inside(): TensorInfo[] {
    return insideOf(this.list?.tensors ?? [], this.collection);
  }
}
