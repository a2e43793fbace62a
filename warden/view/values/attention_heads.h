#ifndef WARDEN_VIEW_VALUES_ATTENTION_HEADS_H_
#define WARDEN_VIEW_VALUES_ATTENTION_HEADS_H_

// The heads of an attention layer, for the dashboard's page of attention: small pictures of all of
// them, and which of them do not do anything useful.

#include <cstdint>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/trial/tensor_value.h"

namespace warden::view {

// What a head does, where that can be told from its weights alone.
enum class HeadPattern : uint8_t {
  kMixed,
  kUniform,   // All keys get the same: at least 98 % of the largest entropy.
  kOneKey,    // One and the same key gets at least 95 % of the weight, whatever the query.
  kNoWeight,  // All weights are zero.
  kNotFinite,
};
std::string_view HeadPatternName(HeadPattern pattern);  // "one key".

struct AttentionHead {
  // Mean over the queries, of those that may look at more than one key: in bits, and as a share (0
  // to 1) of what would be largest for as many keys. 0 without such queries.
  double entropy = 0;
  double entropy_share = 0;
  HeadPattern pattern = HeadPattern::kMixed;
  int64_t top_key = 0;        // The key that gets most in the mean,
  double top_key_weight = 0;  // and how much, 0 to 1.
};

struct AttentionHeads {
  int64_t samples = 1;  // In the batch.
  int64_t queries = 0, keys = 0;
  bool causal = false;  // No head looks at keys behind the query.
  std::vector<AttentionHead> heads = {};
  // Small pictures: the mean weight in at most `cells` x `cells` fields, head after head, row by
  // row. NaN where nothing is finite.
  int64_t rows = 0, columns = 0;
  std::vector<float> pictures = {};
};

// Of one sample of attention weights: batch x heads x queries x keys, or without the batch. Rows
// are normalized before entropies are computed, so that dropout on the weights does not matter.
// Queries without any weight are left out: padding. Keys without any weight from any query in any
// head do not count either.
//
// kInvalid has the shape, or a weight below zero, and what is accepted; kInvalidType for strings.
// REQUIRES: cells > 0.
Result<AttentionHeads> MakeAttentionHeads(const trial::TensorValue& weights, int64_t sample,
                                          int64_t cells);

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_ATTENTION_HEADS_H_
