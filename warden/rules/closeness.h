#ifndef WARDEN_RULES_CLOSENESS_H_
#define WARDEN_RULES_CLOSENESS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "warden/rules/tensor_view.h"
#include "warden/stats/tensor_ref.h"

namespace warden::rules {

// How far a may be from b, as NumPy's allclose has it: |a - b| <= atol + rtol * |b|. Infinities are
// close only to themselves, NaN to NaN only with equal_nan.
struct Tolerance {
  double rtol = 1e-5;
  double atol = 1e-8;
  bool equal_nan = false;
};

// Whether both have the same shape and all values of a are close to those of b, whatever their
// types. Ends at the first stretch in which one is not. REQUIRES: both are real numbers.
bool AllClose(const stats::TensorRef& a, const stats::TensorRef& b, const Tolerance& tolerance);

bool IsReal(DType dtype);  // Not complex and no string.
// Why a tensor of which this is not so was skipped.
inline constexpr std::string_view kNoRealNumbers = "values are not real numbers";

// How two tensors part.
struct Difference {
  double largest = 0;  // |a - b|; infinite where only one is finite, or the shapes differ.
  double allowed = 0;  // What it could have been there.
  std::string what;    // "by up to 0.5 (3 of 10 values)".
};

struct Comparison {
  std::optional<Difference> difference;
  std::string_view skipped;  // Not empty: why they cannot be compared; completes "3 tensors ...".
};

// By their values or, where these were not saved for both, by the reductions that both have saved.
Comparison Compare(TensorView& a, TensorView& b, const Tolerance& tolerance);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CLOSENESS_H_
