#include <fmt/format.h>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"

namespace warden::rules {
namespace {

class Zeros : public Rule {
 public:
  explicit Zeros(const Params& params)
      : selector_(SelectorFrom(params, {})), threshold_(params.Number("threshold")) {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* tensor : step.Input(0)) {
      const auto zeros = PercentZero(*tensor);
      if (!zeros) {
        verdicts->Skip(*tensor, WhyNoStatistic(*tensor));
      } else if (zeros->value >= threshold_) {
        verdicts->Fire(*tensor, {zeros->value, threshold_,
                                 fmt::format("{:.4g} % of the values are zero (threshold {:g} %)",
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
    return params.Refuse("no tensors selected; set collection_names or tensor_regex");
  }
  return Make<Zeros>(params);
}

}  // namespace

RuleEntry AllZero() {
  static constexpr Param kParams[] = {
      kCollectionNames,
      kTensorRegex,
      {"threshold", ParamType::kNumber, "100", "Percentage of zero values at which the rule fires",
       0, 100}};
  static constexpr RuleSpec kSpec{
      "AllZero", "A tensor is all zeros or nearly all zeros.",
      "Weights: check the initialization. Gradients: check that the tensor contributes to the loss "
      "and is not behind dead units. Inputs: check the loaded data.",
      kParams};
  return {&kSpec, MakeZeros};
}

}  // namespace warden::rules
