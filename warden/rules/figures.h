#ifndef WARDEN_RULES_FIGURES_H_
#define WARDEN_RULES_FIGURES_H_

#include <optional>
#include <string_view>

#include "warden/rules/tensor_view.h"

namespace warden::rules {

// Figures that rules ask for, over the finite values: from a saved reduction if one says it, else
// from the values. Nothing if neither was saved, or no value is finite.

// Why a tensor was skipped.
inline constexpr std::string_view kNoValues =
    "the saved statistics are not enough; save full "
    "tensors (--reductions none)";
inline constexpr std::string_view kNoRawValues =
    "full tensors were not saved; add --reductions "
    "none";
inline constexpr std::string_view kNothingFinite = "no finite values";

struct Figure {
  double value = 0;
  std::string_view note = {};  // How it differs from what was asked for.
};

std::optional<Figure> MeanOfMagnitudes(TensorView& tensor);
// The population's, or, where only reductions were saved, the sample's, which the note says.
std::optional<Figure> Variance(TensorView& tensor);
std::optional<Figure> Norm(TensorView& tensor);  // l2.
// Percentage of values that are exactly zero.
std::optional<Figure> PercentZero(TensorView& tensor);
// The largest absolute value, from saved reductions or the values.
std::optional<Figure> LargestMagnitude(TensorView& tensor);
// The mean: of a single number, the number.
std::optional<Figure> Mean(TensorView& tensor);

struct NonFinite {
  // How many; with saved reductions alone it is only known whether there are any, and these are 1.
  double nan = 0;
  double inf = 0;
  bool counted = true;
};
// Nothing if what was saved tells neither that all is finite nor that something is not.
std::optional<NonFinite> CountNonFinite(TensorView& tensor);

// Why a figure was not there.
std::string_view WhyNoFigure(TensorView& tensor);

}  // namespace warden::rules

#endif  // WARDEN_RULES_FIGURES_H_
