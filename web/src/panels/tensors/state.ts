// What is shown, as in the URL.

import type { Mode, TensorInfo, TensorList } from '../../api/types';
import { numberParam, rangeParam } from '../common/params';
import { writeRange } from '../common/series';

export const MOST_TENSORS = 12;

export type Tab =
  | 'series'
  | 'distribution'
  | 'values'
  | 'activation'
  | 'projector'
  | 'stack'
  | 'classifier'
  | 'attention';
export const TABS: { value: Tab; label: string }[] = [
  { value: 'series', label: 'Series' },
  { value: 'distribution', label: 'Distribution' },
  { value: 'values', label: 'Values' },
  { value: 'activation', label: 'Activation map' },
  { value: 'projector', label: 'Projector' },
  { value: 'stack', label: '3-D activations' },
  { value: 'attention', label: 'Attention' },
  { value: 'classifier', label: 'Classification' },
];

export interface State {
  readonly tensors: readonly string[];
  readonly focus: number; // The one that single-tensor views show.
  readonly tab: Tab;
  readonly statistics: readonly string[]; // Empty: the default ones.
  readonly mode: Mode;
  readonly worker: string; // '': the first.
  readonly step: number | null; // Null: the last one, also when more arrive.
  readonly slice: string;
  readonly view: string; // View of the tab; '': the default.
  readonly range: [number, number] | null; // Steps.
  readonly log: boolean;
  readonly find: string; // What the tree of tensors is searched for.
  readonly each: boolean; // Every image has its own color range.
  // Settings of the activation map.
  readonly activation: string;
  readonly gradient: string;
  readonly images: string;
  readonly image: number;
  // What the projector colors by, and the labels of a classifier; '': the likely tensor, if any.
  readonly labels: string;
  readonly predictions: string; // '': the likely tensor.
  readonly chosenClass: string; // Whose curves are shown; '': all.
  readonly tokens: string; // What names the queries and keys of attention; '': the likely tensor.
}

const MODES: readonly string[] = ['TRAIN', 'EVAL', 'PREDICT', 'GLOBAL'];

export function readState(params: URLSearchParams): State {
  const tensors = [...new Set(params.getAll('tensor').filter(Boolean))].slice(0, MOST_TENSORS);
  const mode = params.get('mode') ?? '';
  return {
    tensors,
    focus: Math.max(
      0,
      Math.min(tensors.length - 1, Math.trunc(numberParam(params.get('focus')) ?? 0)),
    ),
    tab: TABS.find(({ value }) => value === params.get('tab'))?.value ?? 'series',
    statistics: [...new Set(params.getAll('statistic').filter(Boolean))].slice(0, MOST_TENSORS),
    mode: MODES.includes(mode) ? (mode as Mode) : 'GLOBAL',
    worker: params.get('worker') ?? '',
    step: numberParam(params.get('step')),
    slice: params.get('slice') ?? '',
    view: params.get('view') ?? '',
    range: rangeParam(params.get('from'), params.get('to')),
    log: params.get('scale') === 'log',
    find: params.get('find') ?? '',
    each: params.get('colours') === 'each',
    activation: params.get('activation') ?? '',
    gradient: params.get('gradient') ?? '',
    images: params.get('images') ?? '',
    image: Math.max(0, Math.trunc(numberParam(params.get('image')) ?? 0)),
    labels: params.get('labels') ?? '',
    predictions: params.get('predictions') ?? '',
    chosenClass: params.get('class') ?? '',
    tokens: params.get('tokens') ?? '',
  };
}

// Only values that differ from the default are written, so URLs stay short.
export function writeState(state: State): URLSearchParams {
  const params = new URLSearchParams();
  const put = (name: string, value: string | number, usual: string | number): void => {
    if (value !== usual) params.set(name, String(value));
  };
  for (const tensor of state.tensors) params.append('tensor', tensor);
  put('focus', state.focus, 0);
  put('tab', state.tab, 'series');
  for (const statistic of state.statistics) params.append('statistic', statistic);
  put('mode', state.mode, 'GLOBAL');
  put('worker', state.worker, '');
  if (state.step !== null) params.set('step', String(state.step));
  put('slice', state.slice, '');
  put('view', state.view, '');
  writeRange(params, state.range);
  if (state.log) params.set('scale', 'log');
  if (state.each) params.set('colours', 'each');
  put('find', state.find, '');
  put('activation', state.activation, '');
  put('gradient', state.gradient, '');
  put('images', state.images, '');
  put('image', state.image, 0);
  put('labels', state.labels, '');
  put('predictions', state.predictions, '');
  put('class', state.chosenClass, '');
  put('tokens', state.tokens, '');
  return params;
}

// What a tab needs from the panel.
export interface Desk {
  readonly run: string;
  state: () => State;
  list: () => TensorList;
  info: (tensor: string) => TensorInfo | undefined;
  change: (change: Partial<State>, step?: boolean) => void;
  announce: (words: string, tone?: 'plain' | 'warning') => void;
}

// An open tab.
export interface TabView {
  show: () => void; // The state or the list of tensors has changed.
  grown: () => void; // There are new steps.
  close: () => void;
}

export const focused = (state: State): string =>
  state.tensors[state.focus] ?? state.tensors[0] ?? '';
