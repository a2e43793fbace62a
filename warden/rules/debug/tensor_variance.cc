#include <fmt/format.h>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"

namespace warden::rules {
namespace {

class VarianceRule : public Rule {
 public:
  explicit VarianceRule(const Params& params)
      : selector_(SelectorFrom(params, {})),
        max_(params.Has("max_threshold") ? std::optional(params.Number("max_threshold"))
                                         : std::nullopt),
        min_(params.Has("min_threshold") ? std::optional(params.Number("min_threshold"))
                                         : std::nullopt) {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* tensor : step.Input(0)) {
      const auto variance = Variance(*tensor);
      if (!variance) {
        verdicts->Skip(*tensor, WhyNoStatistic(*tensor));
      } else if (max_ && variance->value > *max_) {
        Fire(*tensor, *variance, "above", *max_, verdicts);
      } else if (min_ && variance->value < *min_) {
        Fire(*tensor, *variance, "below", *min_, verdicts);
      } else {
        verdicts->Healthy(*tensor);
      }
    }
    return Status();
  }

 private:
  static void Fire(TensorView& tensor, const Statistic& variance, std::string_view side,
                   double threshold, Verdicts* verdicts) {
    verdicts->Fire(tensor, {variance.value, threshold,
                            fmt::format("variance {:.4g}{} is {} {:g}", variance.value,
                                        variance.note, side, threshold)});
  }

  const Selector selector_;
  const std::optional<double> max_;
  const std::optional<double> min_;
};

Result<std::unique_ptr<Rule>> MakeSpread(const Params& params) {
  if (SelectorFrom(params, {}).empty()) {
    return params.Refuse("no tensors selected; set collection_names or tensor_regex");
  }
  const bool max = params.Has("max_threshold");
  const bool min = params.Has("min_threshold");
  if (!max && !min) return params.Refuse("no threshold set; set max_threshold or min_threshold");
  if (max && min && params.Number("min_threshold") > params.Number("max_threshold")) {
    return params.Refuse(fmt::format("min_threshold is {}; expected at most max_threshold ({})",
                                     params.Text("min_threshold"), params.Text("max_threshold")));
  }
  return Make<VarianceRule>(params);
}

}  // namespace

RuleEntry TensorVariance() {
  static constexpr Param kParams[] = {
      kCollectionNames,
      kTensorRegex,
      {"max_threshold", ParamType::kNumber, "", "Maximum variance", 0},
      {"min_threshold", ParamType::kNumber, "", "Minimum variance", 0}};
  static constexpr RuleSpec kSpec{
      "TensorVariance", "The variance of a tensor is too large or too small.",
      "Check the initialization and the scale of the inputs. Normalization layers keep the "
      "variance of activations and gradients in range.",
      kParams};
  return {&kSpec, MakeSpread};
}

}  // namespace warden::rules
