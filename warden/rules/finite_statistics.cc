#include "warden/rules/finite_statistics.h"

#include <cmath>

namespace warden::rules {
namespace {

constexpr Reduction kMin{ReductionOp::kMin, false};
constexpr Reduction kMax{ReductionOp::kMax, false};
constexpr Reduction kMean{ReductionOp::kMean, false};
constexpr Reduction kSum{ReductionOp::kSum, false};
constexpr Reduction kL2{ReductionOp::kL2, false};
constexpr Reduction kVariance{ReductionOp::kVariance, false};
constexpr Reduction kStd{ReductionOp::kStd, false};
constexpr Reduction kAbsMin{ReductionOp::kMin, true};
constexpr Reduction kAbsMax{ReductionOp::kMax, true};
constexpr Reduction kAbsMean{ReductionOp::kMean, true};
constexpr Reduction kAbsL2{ReductionOp::kL2, true};

constexpr std::string_view kSampleNote = " (saved sample variance)";

// The summary, if there is anything finite in it.
const stats::Summary* UsableSummary(TensorView& tensor) {
  const stats::Summary* summary = tensor.Summary();
  return summary == nullptr || summary->finite_count() == 0 ? nullptr : summary;
}

// A saved reduction that no NaN or infinity has spoilt.
std::optional<double> Finite(TensorView& tensor, Reduction reduction) {
  const auto saved = tensor.Saved(reduction);
  return saved && std::isfinite(*saved) ? saved : std::nullopt;
}

std::optional<Statistic> Plain(std::optional<double> value) {
  return value ? std::optional(Statistic{*value}) : std::nullopt;
}

// As far as what was saved proves it.
bool IsAllZero(TensorView& tensor) {
  const auto largest = LargestMagnitude(tensor);
  return largest && largest->value == 0;
}

}  // namespace

std::optional<Statistic> LargestMagnitude(TensorView& tensor) {
  if (const auto saved = Finite(tensor, kAbsMax)) return Statistic{*saved};
  const auto min = Finite(tensor, kMin);
  const auto max = Finite(tensor, kMax);
  if (min && max) return Statistic{std::max(std::abs(*min), std::abs(*max))};
  const stats::Summary* summary = UsableSummary(tensor);
  return summary == nullptr ? std::nullopt : std::optional(Statistic{summary->abs_max});
}

std::optional<Statistic> MeanOfMagnitudes(TensorView& tensor) {
  if (const auto saved = Finite(tensor, kAbsMean)) return Statistic{*saved};
  if (const stats::Summary* summary = UsableSummary(tensor)) {
    return Statistic{summary->abs_sum / static_cast<double>(summary->finite_count())};
  }
  // All of one sign, or all zero.
  const auto mean = Finite(tensor, kMean);
  const auto min = Finite(tensor, kMin);
  const auto max = Finite(tensor, kMax);
  if (mean && ((min && *min >= 0) || (max && *max <= 0))) return Statistic{std::abs(*mean)};
  if (IsAllZero(tensor)) return Statistic{0};
  return std::nullopt;
}

std::optional<Statistic> Variance(TensorView& tensor) {
  if (const stats::Summary* summary = UsableSummary(tensor)) {
    return Statistic{summary->m2 / static_cast<double>(summary->finite_count())};
  }
  if (const auto saved = Finite(tensor, kVariance)) return Statistic{*saved, kSampleNote};
  if (const auto saved = Finite(tensor, kStd)) return Statistic{*saved * *saved, kSampleNote};
  const auto min = Finite(tensor, kMin);
  if (min && min == Finite(tensor, kMax)) return Statistic{0};
  return std::nullopt;
}

std::optional<Statistic> Norm(TensorView& tensor) {
  if (const auto saved = Finite(tensor, kL2)) return Statistic{*saved};
  if (const auto saved = Finite(tensor, kAbsL2)) return Statistic{*saved};
  if (const stats::Summary* summary = UsableSummary(tensor)) return Statistic{summary->l2};
  return IsAllZero(tensor) ? std::optional(Statistic{0}) : std::nullopt;
}

std::optional<Statistic> PercentZero(TensorView& tensor) {
  if (const stats::Summary* summary = UsableSummary(tensor)) {
    return Statistic{100.0 * static_cast<double>(summary->zero_count) /
                     static_cast<double>(summary->finite_count())};
  }
  if (IsAllZero(tensor)) return Statistic{100};
  const auto least = Finite(tensor, kAbsMin);
  const auto min = Finite(tensor, kMin);
  const auto max = Finite(tensor, kMax);
  if ((least && *least > 0) || (min && *min > 0) || (max && *max < 0)) return Statistic{0};
  return std::nullopt;
}

std::optional<Statistic> Mean(TensorView& tensor) {
  if (const stats::Summary* summary = UsableSummary(tensor)) return Statistic{summary->mean};
  return Plain(Finite(tensor, kMean));
}

std::optional<NonFinite> CountNonFinite(TensorView& tensor) {
  if (const stats::Summary* summary = tensor.Summary()) {
    return NonFinite{static_cast<double>(summary->nan_count),
                     static_cast<double>(summary->inf_count())};
  }
  // A NaN in min or max is one in the tensor. Of the others a NaN may come of infinities.
  const auto min = tensor.Saved(kMin);
  const auto max = tensor.Saved(kMax);
  const auto largest = tensor.Saved(kAbsMax);
  NonFinite found{0, 0, /*counted=*/false};
  for (const auto& extreme : {min, max, largest, tensor.Saved(kAbsMin)}) {
    if (extreme && std::isnan(*extreme)) found.nan = 1;
    if (extreme && std::isinf(*extreme)) found.inf = 1;
  }
  if (found.nan + found.inf > 0) return found;
  // The extremes are finite, and so is all between them.
  if ((min && max) || largest) return found;
  for (const Reduction reduction : {kMean, kSum, kAbsMean, kL2, kAbsL2}) {
    const auto saved = tensor.Saved(reduction);
    if (!saved) continue;
    // A sum that overflows is not proof, a mean is; NaN can only come of a NaN or of infinities.
    if (std::isnan(*saved)) found.inf = 1;
    if (std::isinf(*saved)) found.inf = 1;
    return found;
  }
  return std::nullopt;
}

std::string_view WhyNoStatistic(TensorView& tensor) {
  const stats::Summary* summary = tensor.Summary();
  if (summary != nullptr && summary->finite_count() == 0) return kNothingFinite;
  return kNoValues;
}

}  // namespace warden::rules
