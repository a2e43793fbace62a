#include "warden/view/values/attention_heads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "warden/view/values/numbers.h"
#include "warden/view/values/slice.h"

namespace warden::view {
namespace {

constexpr double kUniformShare = 0.98;
constexpr double kOneKeyWeight = 0.95;
constexpr int64_t kMostPictureFields = 1 << 22;

Result<AttentionHeads> MeasureHeads(const std::vector<int64_t>& shape, int64_t sample,
                                    int64_t cells) {
  constexpr std::string_view kExpected =
      "expected batch x heads x queries x keys or heads x queries x keys";
  if ((shape.size() != 3 && shape.size() != 4) ||
      std::ranges::any_of(shape, [](int64_t size) { return size < 1; })) {
    return Status(Code::kInvalid,
                  fmt::format("the shape of the weights is {}; {}", ShapeText(shape), kExpected));
  }
  const auto sizes = std::span(shape).last(3);
  AttentionHeads made;
  made.samples = shape.size() == 4 ? shape[0] : 1;
  made.queries = sizes[1];
  made.keys = sizes[2];
  made.rows = std::min(cells, made.queries);
  made.columns = std::min(cells, made.keys);
  if (sample < 0 || sample >= made.samples) {
    return Status(Code::kInvalid,
                  fmt::format("sample is {}; expected 0 to {}", sample, made.samples - 1));
  }
  if (sizes[0] > kMostPictureFields / (made.rows * made.columns)) {
    return Status(Code::kInvalid, fmt::format("the shape of the weights is {}; expected fewer "
                                              "heads; {}",
                                              ShapeText(shape), kExpected));
  }
  made.heads.resize(static_cast<size_t>(sizes[0]));
  return made;
}

// The weights of one sample, by head, query and key.
class HeadWeights {
 public:
  HeadWeights(Numbers numbers, const AttentionHeads& of, int64_t sample)
      : numbers_(numbers),
        heads_(of.heads.size()),
        queries_(static_cast<size_t>(of.queries)),
        keys_(static_cast<size_t>(of.keys)),
        begin_(static_cast<size_t>(sample) * heads_ * queries_ * keys_) {}

  size_t heads() const { return heads_; }
  size_t queries() const { return queries_; }
  size_t keys() const { return keys_; }
  double At(size_t head, size_t query, size_t key) const {
    return numbers_.At(begin_ + (head * queries_ + query) * keys_ + key);
  }

 private:
  Numbers numbers_;
  size_t heads_, queries_, keys_, begin_;
};

// Which keys the queries of a sample may look at.
struct Mask {
  bool causal = false;
  std::vector<bool> used;  // By key.

  size_t KeysOf(size_t query) const {
    const size_t end = causal ? std::min(used.size(), query + 1) : used.size();
    return static_cast<size_t>(
        std::count(used.begin(), used.begin() + static_cast<ptrdiff_t>(end), true));
  }
};

// kInvalid for weights below zero: they are something else, such as scores before the softmax.
Result<Mask> MaskOf(const HeadWeights& weights) {
  Mask mask{weights.queries() == weights.keys() && weights.keys() > 1,
            std::vector<bool>(weights.keys())};
  for (size_t head = 0; head < weights.heads(); ++head) {
    for (size_t query = 0; query < weights.queries(); ++query) {
      for (size_t key = 0; key < weights.keys(); ++key) {
        const double weight = weights.At(head, query, key);
        if (weight == 0) continue;
        if (weight < 0) {
          return Status(Code::kInvalid, fmt::format("a weight is {:.3g}; expected attention "
                                                    "weights, which are 0 to 1",
                                                    weight));
        }
        mask.used[key] = true;
        if (key > query) mask.causal = false;
      }
    }
  }
  return mask;
}

AttentionHead DescribeHead(const HeadWeights& weights, size_t head, const Mask& mask) {
  AttentionHead found;
  std::vector<double> received(weights.keys());
  bool any = false;
  double queries = 0;  // That have a choice; the others say nothing about the head.
  for (size_t query = 0; query < weights.queries(); ++query) {
    double sum = 0;
    for (size_t key = 0; key < weights.keys(); ++key) sum += weights.At(head, query, key);
    if (!std::isfinite(sum)) return {.pattern = HeadPattern::kNotFinite};
    any = any || sum > 0;
    const size_t keys = mask.KeysOf(query);
    if (sum <= 0 || keys < 2) continue;
    queries += 1;
    double bits = 0;
    for (size_t key = 0; key < weights.keys(); ++key) {
      const double share = weights.At(head, query, key) / sum;
      received[key] += share;
      if (share > 0) bits -= share * std::log2(share);
    }
    found.entropy += bits;
    found.entropy_share += bits / std::log2(static_cast<double>(keys));
  }
  if (!any) return {.pattern = HeadPattern::kNoWeight};
  if (queries == 0) return found;
  found.entropy /= queries;
  found.entropy_share = std::min(1.0, found.entropy_share / queries);
  const auto top = std::max_element(received.begin(), received.end());
  found.top_key = top - received.begin();
  found.top_key_weight = *top / queries;
  if (found.entropy_share >= kUniformShare) {
    found.pattern = HeadPattern::kUniform;
  } else if (found.top_key_weight >= kOneKeyWeight) {
    found.pattern = HeadPattern::kOneKey;
  }
  return found;
}

void PaintHead(const HeadWeights& weights, size_t head, AttentionHeads* made) {
  const auto rows = static_cast<size_t>(made->rows), columns = static_cast<size_t>(made->columns);
  std::vector<double> sums(rows * columns), counts(rows * columns);
  for (size_t query = 0; query < weights.queries(); ++query) {
    const size_t row = query * rows / weights.queries();
    for (size_t key = 0; key < weights.keys(); ++key) {
      const double weight = weights.At(head, query, key);
      if (!std::isfinite(weight)) continue;
      const size_t field = row * columns + key * columns / weights.keys();
      sums[field] += weight;
      counts[field] += 1;
    }
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    made->pictures.push_back(counts[i] > 0 ? static_cast<float>(sums[i] / counts[i])
                                           : std::numeric_limits<float>::quiet_NaN());
  }
}

}  // namespace

std::string_view HeadPatternName(HeadPattern pattern) {
  switch (pattern) {
    case HeadPattern::kMixed: return "mixed";
    case HeadPattern::kUniform: return "uniform";
    case HeadPattern::kOneKey: return "one key";
    case HeadPattern::kNoWeight: return "no weight";
    case HeadPattern::kNotFinite: break;
  }
  return "not finite";
}

Result<AttentionHeads> MakeAttentionHeads(const trial::TensorValue& value, int64_t sample,
                                          int64_t cells) {
  auto measured = MeasureHeads(value.shape, sample, cells);
  if (!measured.ok()) return measured.status();
  AttentionHeads made = std::move(measured.value());
  const auto numbers = Numbers::Of(value);
  if (!numbers.ok()) return numbers.status();
  const HeadWeights weights(numbers.value(), made, sample);
  const auto mask = MaskOf(weights);
  if (!mask.ok()) return mask.status();
  made.causal = mask.value().causal;
  for (size_t head = 0; head < weights.heads(); ++head) {
    made.heads[head] = DescribeHead(weights, head, mask.value());
    PaintHead(weights, head, &made);
  }
  return made;
}

}  // namespace warden::view
