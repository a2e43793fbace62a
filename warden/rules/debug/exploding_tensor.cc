#include <fmt/format.h>

#include "warden/rules/debug/rules.h"
#include "warden/rules/figures.h"
#include "warden/rules/xgboost_names.h"

namespace warden::rules {
namespace {

std::string Counted(double count, std::string_view one, std::string_view many) {
  return fmt::format("{:.0f} {}", count, count == 1 ? one : many);
}

class Exploding : public Rule {
 public:
  explicit Exploding(const Params& params)
      : selector_(SelectorFrom(params, {.all = true})), only_nan_(params.Switch("only_nan")) {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Judge(const StepView& step, Verdicts* verdicts) override {
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
      return found.nan > 0 ? "the saved reductions show a NaN"
                           : "the saved reductions are not finite";
    }
    std::string text;
    if (found.nan > 0) text = Counted(found.nan, "NaN", "NaN");
    if (found.inf > 0) {
      text += text.empty() ? "" : " and ";
      text += Counted(found.inf, "infinity", "infinities");
    }
    return text;
  }

  const Selector selector_;
  const bool only_nan_;
};

}  // namespace

RuleEntry ExplodingTensor() {
  static constexpr Param kParams[] = {
      kCollectionNames,
      kTensorRegex,
      {"only_nan", ParamType::kSwitch, "False", "Look for NaN only, not for infinities"}};
  static constexpr RuleSpec kSpec{
      "ExplodingTensor", "A tensor holds NaN or infinite values.",
      "Lower the learning rate, clip gradients, scale the loss down (or use a gradient scaler with "
      "half precision); NaNOrigin says which module began it.",
      kParams};
  return {&kSpec, Make<Exploding>};
}

}  // namespace warden::rules
