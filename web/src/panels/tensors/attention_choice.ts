// Which saved tensors are attention weights, and which name their tokens.

import type { TensorInfo } from '../../api/types';

export const MOST_ATTENTION_LAYERS = 48;

const NAMED = /att(entio)?n/i; // 'attentions', 'layer.3.attn'.
const PARAMETERS = /^(weights|biases|gradients|losses|metrics|optimizer_variables)$/;

// Batch × heads × queries × keys, or heads × queries × keys. Three axes can also be the output of a
// layer of attention; its last two axes differ.
export const isAttention = ({ name, values, shape, collections, dtype }: TensorInfo): boolean =>
  values &&
  shape !== null &&
  /^(b?float|uint|int)/.test(dtype) &&
  !/^gradient|(weight|bias|mask)$/i.test(name) &&
  !collections.some((one) => PARAMETERS.test(one)) &&
  (NAMED.test(name) || collections.some((one) => NAMED.test(one))) &&
  (shape.length === 4 || (shape.length === 3 && shape[1] === shape[2]));

// In the order in which they were saved, which is that of the network. Only those of the size that
// is most frequent among them, so that one number names the same sample and one token.
export function attentionLayers(all: readonly TensorInfo[]): TensorInfo[] {
  const found = all.filter(isAttention);
  const sizeOf = ({ shape }: TensorInfo): string =>
    JSON.stringify([shape?.length === 4 ? shape[0] : 1, shape?.at(-2), shape?.at(-1)]);
  const counts = new Map<string, number>();
  for (const info of found) counts.set(sizeOf(info), (counts.get(sizeOf(info)) ?? 0) + 1);
  const [size] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  return found.filter((info) => sizeOf(info) === size);
}

export interface Sizes {
  readonly samples: number;
  readonly queries: number;
  readonly keys: number;
}

export const sizesOf = ({ shape }: TensorInfo): Sizes => ({
  samples: shape?.length === 4 ? (shape[0] ?? 1) : 1,
  queries: shape?.at(-2) ?? 0,
  keys: shape?.at(-1) ?? 0,
});

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

// A word or an id for each key: of one sample, or of each sample of the batch.
export const isTokens = ({ values, shape, dtype }: TensorInfo, { samples, keys }: Sizes): boolean =>
  values &&
  /^(str|u?int)/.test(dtype) &&
  shape !== null &&
  [keys, samples * keys].includes(product(shape));

export const likelyTokens = (all: readonly TensorInfo[], sizes: Sizes): TensorInfo | undefined => {
  const fitting = all.filter((info) => isTokens(info, sizes));
  const named = fitting.filter(({ name }) => /token|input_?ids|words?|text/i.test(name));
  return named.find(({ dtype }) => dtype.startsWith('str')) ?? named[0];
};

// Of what was saved, that of one sample; empty if there are not enough.
export function tokensOf(
  saved: readonly (string | number)[],
  { keys }: Sizes,
  sample: number,
): string[] {
  const begin = saved.length > keys ? sample * keys : 0;
  const part = saved.slice(begin, begin + keys);
  if (part.length < keys) return [];
  // Marks of tokenizers for a blank before the word.
  return part.map((one) => String(one).replace(/^[Ġ▁]/, '·'));
}

// The head that is shown alone, as in the URL: 'number@tensor'.
export const headId = (tensor: string, head: number): string => `${head}@${tensor}`;
export function headOf(id: string): { tensor: string; head: number } | null {
  const [, head, tensor] = /^(\d+)@(.+)$/s.exec(id) ?? [];
  return head === undefined || tensor === undefined ? null : { tensor, head: Number(head) };
}
