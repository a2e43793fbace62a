// What the chart of one tensor shows: tensor, statistic, mode.

import type { Mode, TensorList } from '../../api/types';
import { html } from '../../base/dom';
import { Choice, type Option } from '../common/fields';
import { inOrder, statisticWords } from '../common/statistics';
import type { State } from './state';

const MODE_WORDS: Record<Mode, string> = {
  GLOBAL: 'All (global steps)',
  TRAIN: 'Training',
  EVAL: 'Evaluation',
  PREDICT: 'Prediction',
};
const USUAL = 'usual';
const FIRST = ['losses', 'metrics'];

export class PlotFields {
  readonly element: HTMLElement;
  private readonly tensor: Choice;
  private readonly statistic: Choice;
  private readonly mode: Choice;

  constructor(change: (change: Partial<State>) => void) {
    this.tensor = new Choice('Tensor', (tensor) => change({ tensor }));
    this.statistic = new Choice('Statistic', (statistic) =>
      change({ statistic: statistic === USUAL ? '' : statistic }),
    );
    this.mode = new Choice('Mode', (mode) => change({ mode: mode as Mode }));
    this.element = html(
      'div',
      { class: 'common-bar compare-fields' },
      this.tensor.element,
      this.statistic.element,
      this.mode.element,
    );
  }

  // Returns the tensor to plot; '' while unknown.
  show(state: State, list: TensorList | null): string {
    const tensors = list?.tensors ?? [];
    const telling = tensors.filter(({ collections }) =>
      collections.some((name) => FIRST.includes(name)),
    );
    const tensor = state.tensor || (telling[0] ?? tensors[0])?.name || '';
    // Losses and metrics by name; any other tensor is chosen in the table below.
    const options: Option[] = telling
      .slice(0, 200)
      .map(({ name }) => ({ value: name, label: name }));
    this.tensor.set(options, tensor);
    const known = inOrder(tensors.find(({ name }) => name === tensor)?.statistics ?? []);
    this.statistic.set(
      [
        { value: USUAL, label: 'value or mean' },
        ...known.map((value) => ({ value, label: statisticWords(value) })),
      ],
      state.statistic || USUAL,
    );
    const modes: Mode[] = ['GLOBAL', ...(list?.modes ?? []).filter((mode) => mode !== 'GLOBAL')];
    this.mode.set(
      modes.map((value) => ({ value, label: MODE_WORDS[value] })),
      state.mode,
    );
    this.mode.show(modes.length > 1);
    return tensor;
  }
}
