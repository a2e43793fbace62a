#ifndef WARDEN_RULES_BASELINE_BAND_STATISTIC_H_
#define WARDEN_RULES_BASELINE_BAND_STATISTIC_H_

// The numbers of a tensor that have a normal range. Used to learn ranges and to compare with them.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "warden/rules/tensor_view.h"

namespace warden::rules {

enum class BandStatistic : uint8_t {
  kValue,      // Of a loss or a metric: its mean, which is the number itself.
  kNorm,       // The l2 norm.
  kLargest,    // The largest magnitude.
  kDeviation,  // The standard deviation.
  kMean,
};
inline constexpr std::array<BandStatistic, 5> kBandStatistics = {
    BandStatistic::kValue, BandStatistic::kNorm, BandStatistic::kLargest, BandStatistic::kDeviation,
    BandStatistic::kMean};

// "value", "norm", "abs_max", "std", "mean": in files. Stable.
std::string_view KeyOf(BandStatistic statistic);
// The same for people: "largest magnitude".
std::string_view TitleOf(BandStatistic statistic);

// Over the finite values of the tensor; nothing if what was saved does not say.
std::optional<double> Measure(TensorView& tensor, BandStatistic statistic);

// Where a number lies among others of its kind. Sizes are compared by their ratio, so that a factor
// of ten counts the same up and down; what may be negative is compared by its difference.
struct BandScale {
  bool logarithmic = true;
  double unit = 1;  // Logarithmic: what is far below it counts as zero. Positive.

  double PositionOf(double value) const;
  // The reverse; not below zero on a logarithmic scale.
  double ValueAt(double position) const;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_BASELINE_BAND_STATISTIC_H_
