#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/units.h"

namespace warden::rules {
namespace {

// All images of one input so far.
struct SeenImages {
  int64_t images = 0;
  std::vector<stats::Moments> channels;
};

double MeanOf(const stats::Moments& channel) {
  return channel.count == 0 ? 0 : static_cast<double>(channel.sum / channel.count);
}
double DeviationOf(const stats::Moments& channel) {
  return channel.count == 0 ? 0 : static_cast<double>(std::sqrt(channel.m2 / channel.count));
}

class InputImages : public Rule {
 public:
  explicit InputImages(const Params& params)
      : patterns_(params.List("regex")),
        threshold_(params.Number("threshold_mean")),
        samples_(params.Integer("threshold_samples")),
        axis_(static_cast<size_t>(params.Integer("channel"))) {}

  std::vector<Selector> inputs() const override {
    if (!patterns_.empty()) return {{.patterns = patterns_}};
    return {{.patterns = {".*hybridsequential0_input_0"}, .roles = {"first_input"}}};
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* tensor : step.Input(0)) {
      const trial::TensorValue* value = tensor->Raw();
      if (value == nullptr) {
        verdicts->Skip(*tensor, kNoRawValues);
      } else if (value->shape.size() <= axis_) {
        verdicts->Skip(*tensor, "no channel axis");
      } else {
        EvaluateImages(*tensor, *value, verdicts);
      }
    }
    return Status();
  }

 private:
  void EvaluateImages(TensorView& tensor, const trial::TensorValue& value, Verdicts* verdicts) {
    const auto batch = UnitMoments(value.ref(), UnitsOf(value.shape, axis_));
    const bool any = std::any_of(batch.begin(), batch.end(),
                                 [](const stats::Moments& channel) { return channel.count > 0; });
    if (!any) {
      verdicts->Skip(tensor, WhyNoStatistic(tensor));
      return;
    }
    // Images of all modes count together.
    if (tensor.id() >= seen_.size()) seen_.resize(tensor.id() + 1);
    SeenImages& seen = seen_[tensor.id()];
    if (seen.channels.size() != batch.size()) seen = {0, std::vector<stats::Moments>(batch.size())};
    seen.images += value.shape[0];
    for (size_t i = 0; i < batch.size(); ++i) {
      if (batch[i].count > 0) seen.channels[i].Merge(batch[i]);
    }
    if (seen.images < samples_) {
      verdicts->TooLittle(fmt::format("needs {} images, found {}", samples_, seen.images));
      return;
    }
    const auto worst = std::max_element(
        seen.channels.begin(), seen.channels.end(),
        [](const auto& a, const auto& b) { return std::abs(MeanOf(a)) < std::abs(MeanOf(b)); });
    if (!(std::abs(MeanOf(*worst)) > threshold_)) {
      verdicts->Healthy(tensor);
      return;
    }
    verdicts->Fire(tensor, {MeanOf(*worst), threshold_, Describe(seen, worst)});
  }

  std::string Describe(const SeenImages& seen,
                       std::vector<stats::Moments>::const_iterator worst) const {
    constexpr size_t kAtMost = 16;
    std::string channels;
    for (size_t i = 0; i < std::min(kAtMost, seen.channels.size()); ++i) {
      channels += fmt::format("{}{}: {:.4g}, {:.4g}", i == 0 ? "" : "; ", i,
                              MeanOf(seen.channels[i]), DeviationOf(seen.channels[i]));
    }
    if (seen.channels.size() > kAtMost) channels += "; ...";
    return fmt::format(
        "mean {:.4g} of channel {} is more than {:g} from 0 over {} images (mean, standard "
        "deviation per channel: {})",
        MeanOf(*worst), worst - seen.channels.begin(), threshold_, seen.images, channels);
  }

  const std::vector<std::string> patterns_;
  const double threshold_;
  const int64_t samples_;
  const size_t axis_;
  std::vector<SeenImages> seen_;  // By the tensor's id.
};

}  // namespace

RuleEntry CheckInputImages() {
  static constexpr Param kParams[] = {
      {"threshold_mean", ParamType::kNumber, "0.2", "Maximum distance of a channel mean from 0", 0},
      {"threshold_samples", ParamType::kInteger, "500",
       "Number of images needed before the first "
       "check",
       1},
      {"regex", ParamType::kPatterns, "",
       "Image tensors: regular expressions matched anywhere in "
       "the name"},
      {"channel", ParamType::kInteger, "1", "Channel axis; axis 0 is the batch", 1}};
  static constexpr Saves kSaves[] = {{"input_image", ".*hybridsequential0_input_0", true}};
  static constexpr RuleSpec kSpec{
      "CheckInputImages", "Input images are not normalized: a channel mean is far from zero.",
      "Normalize each channel: subtract its mean and divide by its standard deviation, both "
      "computed on the training set.",
      kParams, kSaves};
  return {&kSpec, Make<InputImages>};
}

}  // namespace warden::rules
