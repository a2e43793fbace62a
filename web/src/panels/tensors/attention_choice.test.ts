import { describe, expect, test } from 'vitest';
import type { TensorInfo } from '../../api/types';
import {
  attentionLayers,
  headId,
  headOf,
  isAttention,
  likelyTokens,
  sizesOf,
  tokensOf,
} from './attention_choice';
import { tensor } from './info_for_test';

describe('isAttention', () => {
  test.each([
    ['attentions_3', [2, 4, 8, 8], true],
    ['encoder.layer.0.attn_output_1', [4, 8, 8], true],
    ['attention_output_0', [2, 8, 64], false],
    ['attention.query.weight', [4, 4, 4, 4], false],
    ['gradient/attentions_3', [2, 4, 8, 8], false],
    ['conv1_output_0', [2, 4, 8, 8], false],
  ])('%s %j: %s', (name, shape, expected) => {
    expect(isAttention(tensor(name, shape))).toBe(expected);
  });

  test('by collection; not without values', () => {
    const shape = [2, 4, 8, 8];
    expect(isAttention(tensor('a', shape, { collections: ['attentions'] }))).toBe(true);
    expect(isAttention(tensor('attn', shape, { values: false }))).toBe(false);
  });
});

test('layers of one size, in their order', () => {
  const all = [
    tensor('cross_attn', [2, 4, 8, 5]),
    tensor('attn_0', [2, 4, 8, 8]),
    tensor('attn_1', [2, 6, 8, 8]),
  ];
  expect(attentionLayers(all).map(({ name }) => name)).toEqual(['attn_0', 'attn_1']);
  expect(sizesOf(all[0] as TensorInfo)).toEqual({ samples: 2, queries: 8, keys: 5 });
});

test('tokens: words before ids, one for each key', () => {
  const sizes = { samples: 2, queries: 3, keys: 3 };
  const ids = tensor('input_ids', [2, 3], { dtype: 'int64' });
  const words = tensor('tokens', [6], { dtype: 'str' });
  expect(likelyTokens([ids, words], sizes)?.name).toBe('tokens');
  expect(likelyTokens([ids], sizes)?.name).toBe('input_ids');
  expect(likelyTokens([tensor('labels', [3], { dtype: 'int64' })], sizes)).toBeUndefined();
  expect(likelyTokens([tensor('input_ids', [2, 4], { dtype: 'int64' })], sizes)).toBeUndefined();
  expect(tokensOf(['a', 'Ġb', 'c', 'd', '▁e', 'f'], sizes, 1)).toEqual(['d', '·e', 'f']);
  expect(tokensOf([5, 6, 7], sizes, 1)).toEqual(['5', '6', '7']);
  expect(tokensOf(['a'], sizes, 0)).toEqual([]);
});

test('the head in the URL', () => {
  expect(headOf(headId('a@b', 12))).toEqual({ tensor: 'a@b', head: 12 });
  expect(headOf('image')).toBeNull();
});
