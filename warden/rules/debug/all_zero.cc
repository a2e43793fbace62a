#include <fmt/format.h>

#include "warden/rules/debug/rules.h"
#include "warden/rules/figures.h"

namespace warden::rules {
namespace {

class Zeros : public Rule {
 public:
  explicit Zeros(const Params& params)
      : selector_(SelectorFrom(params, {})), threshold_(params.Number("threshold")) {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Judge(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* tensor : step.Input(0)) {
      const auto zeros = PercentZero(*tensor);
      if (!zeros) {
        verdicts->Skip(*tensor, WhyNoFigure(*tensor));
      } else if (zeros->value >= threshold_) {
        verdicts->Fire(*tensor,
                       {zeros->value, threshold_,
                        fmt::format("{:.4g} % of the values are zero, {:g} % or more count "
                                    "as too many",
                                    zeros->value, threshold_)});
      } else {
        verdicts->Healthy(*tensor);
      }
    }
    return Status();
  }

 private:
  const Selector selector_;
  const double threshold_;
};

Result<std::unique_ptr<Rule>> MakeZeros(const Params& params) {
  if (SelectorFrom(params, {}).empty()) {
    return params.Refuse("which tensors? collection_names or tensor_regex is needed");
  }
  return Make<Zeros>(params);
}

}  // namespace

RuleEntry AllZero() {
  static constexpr Param kParams[] = {
      kCollectionNames,
      kTensorRegex,
      {"threshold", ParamType::kNumber, "100", "Percentage of zeros that is too much", 0, 100}};
  static constexpr RuleSpec kSpec{
      "AllZero", "A tensor is all zeros, or nearly.",
      "For weights: check the initialisation. For gradients: check that the tensor takes part in "
      "the loss and is not behind dead units. For inputs: look at the data that was loaded.",
      kParams};
  return {&kSpec, MakeZeros};
}

}  // namespace warden::rules
