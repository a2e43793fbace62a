#ifndef WARDEN_TRIAL_TENSOR_STATISTICS_H_
#define WARDEN_TRIAL_TENSOR_STATISTICS_H_

// All statistics of a tensor at one step, for `warden trial show` and `warden trial export
// --stats`. The numbering is that of the columns of an export. Pure functions of the trial; errors
// are those of Trial::Value.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/reduction.h"
#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/trial/trial.h"

namespace warden::trial {

// Statistics of a tensor's values: counts, then the 18 reductions in the order of their index, then
// quantiles. Stable: they are columns of exports and keys of JSON output.
inline constexpr std::array<std::string_view, 26> kStatisticNames = {
    "count",   "zeros",   "nan",      "pos_inf", "neg_inf",      "min",     "max",
    "mean",    "std",     "variance", "sum",     "prod",         "l1",      "l2",
    "abs_min", "abs_max", "abs_mean", "abs_std", "abs_variance", "abs_sum", "abs_prod",
    "abs_l1",  "abs_l2",  "median",   "p5",      "p95"};
// Indices into kStatisticNames and Statistics; the reductions lie between kNegInf and kMedian.
enum Statistic : size_t {
  kCount,
  kZeros,
  kNan,
  kPosInf,
  kNegInf,
  kFirstReduction,
  kMedian = 23,
  kP5,
  kP95
};
// Whether it is a whole number: the first five.
inline bool IsCount(size_t statistic) { return statistic < kFirstReduction; }
// The index of a reduction.
inline size_t StatisticOf(Reduction reduction) { return kFirstReduction + reduction.index(); }

// By Statistic; nothing where it is not known.
using Statistics = std::array<std::optional<double>, kStatisticNames.size()>;  // None: unknown.

// The statistics of one tensor at one step. Holds the file of the value open as long as it lives.
struct TensorStatistics {
  std::optional<TensorValue> value;  // None: only reductions or the shape were saved.
  std::optional<std::vector<int64_t>> shape;
  Statistics numbers;
};

// How much to compute. A step of a large model has gigabytes of values.
enum class StatisticsDetail {
  kOnePass,  // All but the quantiles, which take several passes each.
  kAll,
};

// From the values: NumPy's definitions for the flattened tensor (std and variance divide by n, the
// norms are vector norms); only count for types without an order. Else the saved reductions, as
// they were saved. An empty worker means the first that saved the step.
//
// If nothing at all was saved, returns why there is no value: kTensorUnavailable,
// kTensorUnavailableForStep and so on. Reads the tensor's values at once and computes on the
// calling thread. Quantiles of a tensor without finite values are unknown, not an error. Trial is
// safe for many threads, and so is this.
Result<TensorStatistics> StatisticsOf(const Trial& trial, std::string_view tensor, Step global_step,
                                      std::string_view worker, StatisticsDetail detail);

// The known ones, by name. Numbers that are not finite are strings, as JsonNumber has them.
Json ToJson(const Statistics& statistics);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_TENSOR_STATISTICS_H_
