#include <fmt/format.h>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"

namespace warden::rules {
namespace {

class Vanishing : public Rule {
 public:
  explicit Vanishing(const Params& params) : threshold_(params.Number("threshold")) {}

  std::vector<Selector> inputs() const override { return {{.collections = {"gradients"}}}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* gradient : step.Input(0)) {
      const auto mean = MeanOfMagnitudes(*gradient);
      const auto largest = mean ? std::nullopt : LargestMagnitude(*gradient);
      if (largest && largest->value < threshold_) {
        // The mean is no larger.
        verdicts->Fire(*gradient,
                       {largest->value, threshold_,
                        fmt::format("max |g| {:.3g} is below {:g}", largest->value, threshold_)});
      } else if (!mean) {
        verdicts->Skip(*gradient, WhyNoStatistic(*gradient));
      } else if (mean->value < threshold_) {
        verdicts->Fire(*gradient,
                       {mean->value, threshold_,
                        fmt::format("mean |g| {:.3g} is below {:g}", mean->value, threshold_)});
      } else {
        verdicts->Healthy(*gradient);
      }
    }
    return Status();
  }

 private:
  const double threshold_;
};

}  // namespace

RuleEntry VanishingGradient() {
  static constexpr Param kParams[] = {
      {"threshold", ParamType::kNumber, "1e-7", "Minimum mean absolute value of a gradient", 0}};
  static constexpr Saves kSaves[] = {{"gradients", ""}};
  static constexpr RuleSpec kSpec{
      "VanishingGradient", "Gradients are so small that the layers before them learn nothing.",
      "Use ReLU-like activations, normalization layers or skip connections. Use an initialization "
      "that fits the activation: He for ReLU, Xavier for tanh. Check that the loss is not scaled "
      "down.",
      kParams, kSaves};
  return {&kSpec, Make<Vanishing>};
}

}  // namespace warden::rules
