#ifndef WARDEN_STATS_SUMMARY_H_
#define WARDEN_STATS_SUMMARY_H_

#include <cstdint>

#include "warden/base/status.h"
#include "warden/stats/tensor_ref.h"

namespace warden::stats {

// One pass over a tensor for all of its statistics: capture runs it on what it saves, rules, the
// command line and the dashboard on values that were saved. cuda/device_summaries.h does the same
// on a GPU.
//
//   const auto summary = Summarize({data, DType::kFloat32, shape});
//   if (!summary.ok()) return summary.status();
//   if (summary.value().nan_count > 0) ...
//   const double l2 = Reduce(summary.value(), {ReductionOp::kL2}, Flavor::kSaved);

// What one pass over a tensor finds. NaN and infinities are counted apart and left out of every
// other statistic, so that a single bad element hides nothing; reductions.h puts them back where
// the original's results would show them. All-zero, and prod 1, if there is no finite element.
// 64-bit integers count as the doubles nearest to them. A plain value.
struct Summary {
  uint64_t count = 0;  // All elements.
  uint64_t nan_count = 0;
  uint64_t pos_inf_count = 0;
  uint64_t neg_inf_count = 0;
  uint64_t zero_count = 0;      // Both zeros.
  uint64_t negative_count = 0;  // Finite and below zero.

  double min = 0;  // This and all below are over the finite elements.
  double max = 0;
  double abs_min = 0;  // Smallest and largest magnitude.
  double abs_max = 0;
  double sum = 0;
  double abs_sum = 0;      // The l1 norm.
  double sum_squares = 0;  // Of the values. Infinite or zero where it does not fit a double ...
  double l2 = 0;           // ... while its root, the l2 norm, may still do.
  double mean = 0;
  double m2 = 0;      // Sum of squared distances from the mean: variance times finite_count().
  double abs_m2 = 0;  // The same for the absolute values.
  double prod = 1;    // May overflow to infinity or underflow to zero, as any product does.

  uint64_t finite_count() const { return count - nan_count - pos_inf_count - neg_inf_count; }
  uint64_t inf_count() const { return pos_inf_count + neg_inf_count; }
};

// One pass, without any allocation, at the speed of memory for float32 and float64 (a third to a
// tenth of it for other types, which are widened first); a second one only if the product of the
// first part of the tensor is out of range and the rest leads back into it. The order of additions
// is fixed for a CPU, so the same bytes give the same bits; other CPUs may round differently.
// kInvalidType for complex numbers and strings. An empty tensor is ok and gives Summary(). Safe for
// many threads; uses one, and some 64 KiB of its stack.
Result<Summary> Summarize(const TensorRef& tensor);

// Summary of the union of two disjoint parts, e.g. shards of one parameter: the same as of the
// whole, up to rounding. prod is NaN if the product of one part overflowed and that of the other
// underflowed.
Summary Merge(const Summary& a, const Summary& b);

}  // namespace warden::stats

#endif  // WARDEN_STATS_SUMMARY_H_
