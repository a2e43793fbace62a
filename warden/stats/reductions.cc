#include "warden/stats/reductions.h"

#include <cmath>
#include <limits>

#include "warden/stats/element.h"
#include "warden/stats/matrix_norm.h"

namespace warden::stats {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double OfNothing(ReductionOp op) {
  switch (op) {
    case ReductionOp::kSum:
    case ReductionOp::kL1:
    case ReductionOp::kL2: return 0;
    case ReductionOp::kProd: return 1;
    default: return kNaN;
  }
}

// Of infinities only, or together with finite elements.
double MinWithInfinity(const Summary& s, bool abs) {
  if (!abs && s.neg_inf_count != 0) return -kInfinity;
  if (s.finite_count() == 0) return kInfinity;
  return abs ? s.abs_min : s.min;
}
double MaxWithInfinity(const Summary& s, bool abs) {
  if (abs || s.pos_inf_count != 0) return kInfinity;
  return s.finite_count() == 0 ? -kInfinity : s.max;
}
double SumWithInfinity(const Summary& s, bool abs) {
  if (abs || s.neg_inf_count == 0) return kInfinity;
  return s.pos_inf_count == 0 ? -kInfinity : kNaN;
}
double ProdWithInfinity(const Summary& s, bool abs) {
  if (s.zero_count != 0) return kNaN;
  const bool negative = (s.negative_count + s.neg_inf_count) % 2 != 0;
  return !abs && negative ? -kInfinity : kInfinity;
}

double WithInfinity(const Summary& s, Reduction reduction) {
  switch (reduction.op) {
    case ReductionOp::kMin: return MinWithInfinity(s, reduction.abs);
    case ReductionOp::kMax: return MaxWithInfinity(s, reduction.abs);
    case ReductionOp::kMean:
    case ReductionOp::kSum: return SumWithInfinity(s, reduction.abs);
    case ReductionOp::kStd:
    case ReductionOp::kVariance: return kNaN;
    case ReductionOp::kProd: return ProdWithInfinity(s, reduction.abs);
    case ReductionOp::kL1:
    case ReductionOp::kL2: return kInfinity;
  }
  return kNaN;
}

double Variance(const Summary& s, bool abs, Flavor flavor) {
  const double m2 = abs ? s.abs_m2 : s.m2;
  const auto n = static_cast<double>(s.count);
  if (flavor == Flavor::kComputed) return m2 / n;
  return s.count == 1 ? kNaN : m2 / (n - 1);
}

double AllFinite(const Summary& s, Reduction reduction, Flavor flavor) {
  const bool abs = reduction.abs;
  switch (reduction.op) {
    case ReductionOp::kMin: return abs ? s.abs_min : s.min;
    case ReductionOp::kMax: return abs ? s.abs_max : s.max;
    case ReductionOp::kMean: return abs ? s.abs_sum / static_cast<double>(s.count) : s.mean;
    case ReductionOp::kStd: return std::sqrt(Variance(s, abs, flavor));
    case ReductionOp::kVariance: return Variance(s, abs, flavor);
    case ReductionOp::kSum: return abs ? s.abs_sum : s.sum;
    case ReductionOp::kProd: return abs ? std::abs(s.prod) : s.prod;
    case ReductionOp::kL1: return s.abs_sum;
    case ReductionOp::kL2: return s.l2;
  }
  return kNaN;
}

}  // namespace

double Reduce(const Summary& summary, Reduction reduction, Flavor flavor) {
  if (summary.count == 0) return OfNothing(reduction.op);
  if (summary.nan_count != 0) return kNaN;
  if (summary.inf_count() != 0) return WithInfinity(summary, reduction);
  return AllFinite(summary, reduction, flavor);
}

Result<double> ComputeReduction(const TensorRef& tensor, Reduction reduction) {
  const Result<Summary> summary = Summarize(tensor);
  if (!summary.ok()) return summary.status();
  double value = Reduce(summary.value(), reduction, Flavor::kComputed);
  if (tensor.shape.size() == 2 && tensor.count() != 0) {
    if (reduction.op == ReductionOp::kL1) value = LargestColumnSum(tensor);
    if (reduction.op == ReductionOp::kL2) {
      value = SpectralNorm(tensor, summary.value(), reduction.abs);
    }
  }
  return RoundToType(value, tensor.dtype);
}

}  // namespace warden::stats
