// Which saved tensors are the labels and the predictions of a classifier. As for the rule Confusion,
// the collections 'labels' and 'predictions' come first; then names, then the inputs of a loss.

import type { TensorInfo } from '../../api/types';

const LABELS = /(^|[/_.\s])(labels?|targets?|y_?true|ground_?truth)([/_.\s\d]|$)/i;
const PREDICTIONS =
  /(^|[/_.\s])(predictions?|preds?|y_?pred|probs|probabilit(y|ies)|softmax|logits|scores)([/_.\s\d]|$)/i;
// What a hook calls the inputs of a loss: first the predictions, then the labels.
const LOSS_INPUT = /(CrossEntropy|NLL|BCE\w*|MultiMargin)\w*Loss_input_([01])$/;
const OTHERS = /^(weights|biases|gradients|losses|metrics|optimizer_variables)$/;

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

const isCandidate = ({ dtype, values, shape, collections, name }: TensorInfo): boolean =>
  values &&
  shape !== null &&
  product(shape) > 1 &&
  !/^(str|complex)/.test(dtype) &&
  !/^gradient/.test(name) &&
  !collections.some((one) => OTHERS.test(one));

// Whether there is a prediction, or a row of scores, for each label.
export function fits(labels: TensorInfo, predictions: TensorInfo): boolean {
  const [truth, scores] = [labels.shape ?? [], predictions.shape ?? []];
  if (labels.name === predictions.name) return false;
  return [product(scores), product(scores.slice(0, -1))].includes(product(truth));
}

// The more likely, the higher; 0: only if somebody chooses it.
function likelihood(info: TensorInfo, what: 'labels' | 'predictions'): number {
  if (info.collections.includes(what)) return 3;
  if ((what === 'labels' ? LABELS : PREDICTIONS).test(info.name)) return 2;
  const [, , input] = LOSS_INPUT.exec(info.name) ?? [];
  return input === (what === 'labels' ? '1' : '0') ? 1 : 0;
}

const ordered = (all: readonly TensorInfo[], what: 'labels' | 'predictions'): TensorInfo[] =>
  all.filter(isCandidate).sort((a, b) => likelihood(b, what) - likelihood(a, what));

export const labelCandidates = (all: readonly TensorInfo[]): TensorInfo[] => ordered(all, 'labels');

export const predictionCandidates = (
  all: readonly TensorInfo[],
  labels: TensorInfo | undefined,
): TensorInfo[] =>
  ordered(all, 'predictions').filter((info) => labels !== undefined && fits(labels, info));

export interface Pair {
  labels: TensorInfo | undefined;
  predictions: TensorInfo | undefined;
}

const prefixOf = (name: string): string => name.replace(/[^/_.]*$/, '');

// Chosen names win; without them, the most likely tensors that go together. Undefined: none does.
export function pairOf(all: readonly TensorInfo[], labels: string, predictions: string): Pair {
  const wanted = all.find(({ name }) => name === labels);
  const truths = wanted
    ? [wanted]
    : labelCandidates(all).filter((i) => likelihood(i, 'labels') > 0);
  let best: Pair = { labels: wanted, predictions: undefined };
  let reached = 0;
  for (const truth of truths) {
    for (const info of all) {
      if (info.name === predictions) {
        if (fits(truth, info)) return { labels: truth, predictions: info };
        continue;
      }
      if (!isCandidate(info) || !fits(truth, info)) continue;
      const likely = likelihood(info, 'predictions');
      if (likely === 0) continue;
      // Of equals, those of one loss or one part of the model.
      const near = prefixOf(truth.name) === prefixOf(info.name) ? 0.5 : 0;
      const score = likelihood(truth, 'labels') + likely + near;
      if (score > reached) [best, reached] = [{ labels: truth, predictions: info }, score];
    }
  }
  return best;
}
