#ifndef WARDEN_RULES_FINITE_STATISTICS_H_
#define WARDEN_RULES_FINITE_STATISTICS_H_

// Statistics that rules ask for, over the finite values of a tensor: from a saved reduction where
// one answers it, else from the values. So a rule works on runs that saved reductions only. Used by
// most rules in debug/, and by custom rules for kNoRawValues.
//
// All return nothing if neither was saved, or if no value is finite; WhyNoStatistic says which. Not
// const: a TensorView reads on demand.

#include <optional>
#include <string_view>

#include "warden/rules/tensor_view.h"

namespace warden::rules {

// Reasons for Verdicts::Skip.
inline constexpr std::string_view kNoValues =
    "the saved statistics are not enough; save full "
    "tensors (--reductions none)";
inline constexpr std::string_view kNoRawValues =
    "full tensors were not saved; add --reductions "
    "none";
inline constexpr std::string_view kNothingFinite = "no finite values";

// A statistic.
struct Statistic {
  double value = 0;
  // How it differs from the exact one: "", or a literal in parentheses for messages.
  std::string_view note = {};
};

// Mean of the absolute values.
std::optional<Statistic> MeanOfMagnitudes(TensorView& tensor);
// Variance of the population or, where only reductions were saved, of the sample, which the note
// says.
std::optional<Statistic> Variance(TensorView& tensor);
// The l2 norm.
std::optional<Statistic> Norm(TensorView& tensor);
// Percentage of values that are exactly zero, 0 to 100. From reductions alone only 0 and 100 are
// known.
std::optional<Statistic> PercentZero(TensorView& tensor);
// The largest absolute value.
std::optional<Statistic> LargestMagnitude(TensorView& tensor);
// The mean; for a single number, the number.
std::optional<Statistic> Mean(TensorView& tensor);

// Values that are not finite.
struct NonFinite {
  // How many; with saved reductions alone it is only known whether there are any, and these are 1.
  double nan = 0;
  double inf = 0;
  bool counted = true;  // False: 0 or 1, from reductions.
};
// Nothing if what was saved shows neither that all is finite nor that something is not.
std::optional<NonFinite> CountNonFinite(TensorView& tensor);

// Why one of the functions above returned nothing, for Verdicts::Skip. A literal.
std::string_view WhyNoStatistic(TensorView& tensor);

}  // namespace warden::rules

#endif  // WARDEN_RULES_FINITE_STATISTICS_H_
