#include <fmt/format.h>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/xgboost_names.h"

namespace warden::rules {
namespace {

class Exploding : public Rule {
 public:
  explicit Exploding(const Params& params)
      : selector_(SelectorFrom(params, {.all = true})), only_nan_(params.Switch("only_nan")) {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* tensor : step.Input(0)) {
      if (IsTreeTable(tensor->name())) continue;
      const auto found = CountNonFinite(*tensor);
      if (!found) {
        verdicts->Skip(*tensor, kNoValues);
      } else if (found->nan > 0 || (found->inf > 0 && !only_nan_)) {
        const double bad = found->nan + (only_nan_ ? 0 : found->inf);
        verdicts->Fire(*tensor, {bad, 0, Describe(*found)});
      } else if (found->inf > 0 && !found->counted && !TellsNaN(*tensor)) {
        // Of a mean or a sum that is not finite, infinities may be the reason as well as a NaN.
        verdicts->Skip(*tensor, kNoValues);
      } else {
        verdicts->Healthy(*tensor);
      }
    }
    return Status();
  }

 private:
  static bool TellsNaN(TensorView& tensor) {
    return tensor.Saved({ReductionOp::kMin, false}) || tensor.Saved({ReductionOp::kMax, false});
  }

  static std::string Describe(const NonFinite& found) {
    if (!found.counted) {
      return found.nan > 0 ? "contains NaN" : "contains NaN or Inf";
    }
    if (found.inf == 0) return fmt::format("contains {:.0f} NaN", found.nan);
    if (found.nan == 0) return fmt::format("contains {:.0f} Inf", found.inf);
    return fmt::format("contains {:.0f} NaN and {:.0f} Inf", found.nan, found.inf);
  }

  const Selector selector_;
  const bool only_nan_;
};

}  // namespace

RuleEntry ExplodingTensor() {
  static constexpr Param kParams[] = {
      kCollectionNames,
      kTensorRegex,
      {"only_nan", ParamType::kSwitch, "False", "Check for NaN only, ignore infinite values"}};
  static constexpr RuleSpec kSpec{
      "ExplodingTensor", "A tensor contains NaN or infinite values.",
      "Lower the learning rate or clip gradients. With half precision, use a gradient scaler. "
      "NaNOrigin shows the module where it started.",
      kParams};
  return {&kSpec, Make<Exploding>};
}

}  // namespace warden::rules
