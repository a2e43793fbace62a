#include <fmt/format.h>

#include "warden/rules/debug/rules.h"
#include "warden/rules/figures.h"

namespace warden::rules {
namespace {

class Vanishing : public Rule {
 public:
  explicit Vanishing(const Params& params) : threshold_(params.Number("threshold")) {}

  std::vector<Selector> inputs() const override { return {{.collections = {"gradients"}}}; }

  Status Judge(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* gradient : step.Input(0)) {
      const auto mean = MeanOfMagnitudes(*gradient);
      const auto largest = mean ? std::nullopt : LargestMagnitude(*gradient);
      if (largest && largest->value < threshold_) {
        // The mean is no larger.
        verdicts->Fire(*gradient, {largest->value, threshold_,
                                   fmt::format("every |g| is at most {:.3g}, below {:g}",
                                               largest->value, threshold_)});
      } else if (!mean) {
        verdicts->Skip(*gradient, WhyNoFigure(*gradient));
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
      {"threshold", ParamType::kNumber, "1e-7",
       "A gradient whose mean absolute value is below this has vanished", 0}};
  static constexpr Saves kSaves[] = {{"gradients", ""}};
  static constexpr RuleSpec kSpec{
      "VanishingGradient", "Gradients are so small that the layers before them learn nothing.",
      "Use ReLU-like activations, normalisation layers or skip connections, and an initialisation "
      "that fits the activation (He for ReLU, Xavier for tanh); check that the learning rate and "
      "the loss are not scaled down.",
      kParams, kSaves};
  return {&kSpec, Make<Vanishing>};
}

}  // namespace warden::rules
