#ifndef WARDEN_RULES_CLOSENESS_H_
#define WARDEN_RULES_CLOSENESS_H_

// Comparison of two tensors within a tolerance. Used by UnchangedTensor (AllClose), ReplicaDesync
// and SimilarAcrossRuns (Compare). Works on values of any two real types without converting a whole
// tensor.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "warden/rules/tensor_view.h"
#include "warden/stats/tensor_ref.h"

namespace warden::rules {

// How far a may be from b, as in NumPy's allclose: |a - b| <= atol + rtol * |b|. Not symmetric.
// Infinities are close only to themselves, NaN to NaN only with equal_nan. Defaults are NumPy's.
struct Tolerance {
  double rtol = 1e-5;
  double atol = 1e-8;
  bool equal_nan = false;
};

// Whether both have the same shape and all values of a are close to those of b, whatever their
// types. Stops at the first block in which one is not. Tensors of the same type are compared as
// they are, with vector instructions; others are converted block by block. REQUIRES: both are real
// numbers.
bool AllClose(const stats::TensorRef& a, const stats::TensorRef& b, const Tolerance& tolerance);

// Not complex and not a string.
bool IsReal(DType dtype);
// Reason for Verdicts::Skip of a tensor for which IsReal is false.
inline constexpr std::string_view kNoRealNumbers = "values are not real numbers";

// How two tensors differ. The text has no names in it: the caller says which tensors.
struct Difference {
  double largest = 0;  // |a - b|; infinite where only one is finite, or the shapes differ.
  double allowed = 0;  // What it could have been there.
  std::string what;    // "by up to 0.5 (3 of 10 values)".
};

// Result of Compare. Neither member set: they are close.
struct Comparison {
  std::optional<Difference> difference;  // Set: they are not close.
  std::string_view skipped;  // Not empty: why they cannot be compared, for Verdicts::Skip.
};

// By their values or, where these were not saved for both, by the reductions that both have saved;
// then the first that differs is reported. Different shapes are a difference, not an error.
Comparison Compare(TensorView& a, TensorView& b, const Tolerance& tolerance);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CLOSENESS_H_
