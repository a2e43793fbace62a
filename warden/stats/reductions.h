#ifndef WARDEN_STATS_REDUCTIONS_H_
#define WARDEN_STATS_REDUCTIONS_H_

#include "warden/base/reduction.h"
#include "warden/base/status.h"
#include "warden/stats/summary.h"
#include "warden/stats/tensor_ref.h"

namespace warden::stats {

// The 18 reductions (base/reduction.h) as numbers: saved by capture while training runs, computed
// by trial and the Python package where they were not saved. Safe for many threads.
//
//   const auto summary = Summarize(tensor);  // One pass, for as many reductions as needed.
//   if (!summary.ok()) return summary.status();
//   const double mean = Reduce(summary.value(), {ReductionOp::kMean}, Flavor::kSaved);

// Who defines a reduction. The original has two sets of definitions and its rules depend on both.
enum class Flavor {
  kSaved,     // What its PyTorch hook stores: sample std and variance (n - 1), vector norms.
  kComputed,  // What its reader computes from raw values with NumPy: population std and variance;
              // norms are matrix norms for rank 2 (l1: largest column sum of absolutes, l2: largest
              // singular value) and, where NumPy refuses (rank 0 and above 2), the vector norm.
};

// One of the 18 reductions from a summary; norms are vector norms, whatever the flavor. Cheap: the
// values are not needed again. Non-finite elements show as they would in the original: NaN wins,
// infinities follow arithmetic. Of no elements at all: sum 0,
// prod 1, norms 0, everything else NaN. std and variance of one element: NaN if kSaved, 0 if
// kComputed.
double Reduce(const Summary& summary, Reduction reduction, Flavor flavor);

// The reduction of the tensor as the original's reader would compute it (kComputed): Reduce, or for
// the norms of a rank-2 tensor the matrix norm, which needs the values again. The result is rounded
// to the tensor's own type where it is floating-point, as NumPy's is. Takes a pass over the tensor
// for each call. kInvalidType for complex numbers and strings.
Result<double> ComputeReduction(const TensorRef& tensor, Reduction reduction);

}  // namespace warden::stats

#endif  // WARDEN_STATS_REDUCTIONS_H_
