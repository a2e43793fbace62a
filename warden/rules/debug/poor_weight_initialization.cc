#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/firings.h"
#include "warden/rules/initial_weights.h"
#include "warden/rules/loss.h"

namespace warden::rules {
namespace {

std::string StallText(const BestLoss& best) {
  return fmt::format("loss has not fallen below {:.4g} for {} saved steps", best.value,
                     best.steps_since);
}

class PoorInitialization : public Rule {
 public:
  explicit PoorInitialization(const Params& params)
      : patterns_(params.List("activation_inputs_regex")),
        threshold_(params.Number("threshold")),
        range_(params.Number("distribution_range")),
        patience_(params.Integer("patience")),
        steps_(params.Integer("steps")),
        any_(params.Switch("compat_any")) {}

  std::vector<Selector> inputs() const override {
    const Selector activations =
        patterns_.empty()
            ? Selector{.patterns = {".*relu_input", ".*ReLU_input"}, .roles = {"relu_input"}}
            : Selector{.patterns = patterns_};
    return {activations,
            {.collections = {"gradients"}},
            {.collections = {"weights"}},
            {.collections = {"losses"}}};
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    if (!step.IsTraining() || steps_seen_ == steps_) return Status();
    ++steps_seen_;
    mode_ = step.mode();
    EvaluateLosses(step.Input(3), verdicts);
    EvaluateActivations(step.Input(0), verdicts);
    for (TensorView* gradient : step.Input(1)) EvaluateGradient(*gradient, verdicts);
    for (TensorView* weight : step.Input(2)) EvaluateWeight(*weight, verdicts);
    firings_.TellTo(verdicts);
    return Status();
  }

 private:
  void EvaluateLosses(const StepView::Tensors& losses, Verdicts* verdicts) {
    for (TensorView* tensor : losses) {
      const auto loss = LossOf(*tensor, verdicts);
      if (!loss) continue;
      const BestLoss& best = losses_.Add(*tensor, mode_, *loss);
      if (!any_) continue;  // It decides on gradients only.
      if (best.steps_since >= patience_) {
        firings_.Add(*tensor, {static_cast<double>(best.steps_since),
                               static_cast<double>(patience_), StallText(best)});
      } else {
        verdicts->Healthy(*tensor);
      }
    }
  }

  void EvaluateActivations(const StepView::Tensors& tensors, Verdicts* verdicts) {
    struct Layer {
      TensorView* tensor;
      Statistic variance;
    };
    std::map<std::string_view, std::vector<Layer>> workers;
    for (TensorView* tensor : tensors) {
      if (const auto variance = Variance(*tensor)) {
        workers[tensor->worker()].push_back({tensor, *variance});
      } else {
        verdicts->Skip(*tensor, WhyNoStatistic(*tensor));
      }
    }
    for (const auto& [worker, layers] : workers) {
      if (layers.size() < 2) {
        verdicts->Skip(*layers[0].tensor, "no second layer to compare with");
        continue;
      }
      const auto [least, most] = std::minmax_element(
          layers.begin(), layers.end(),
          [](const Layer& a, const Layer& b) { return a.variance.value < b.variance.value; });
      const double ratio = least->variance.value == 0
                               ? std::numeric_limits<double>::infinity()
                               : most->variance.value / least->variance.value;
      const bool fires = ratio > threshold_;
      for (const Layer& layer : layers) {
        if (!fires || &layer != &*most) verdicts->Healthy(*layer.tensor);
      }
      if (!fires) continue;
      firings_.Add(*most->tensor,
                   {ratio, threshold_,
                    fmt::format("variance {:.4g}{} is {:.4g} times the variance {:.4g} of {} "
                                "(threshold {:g})",
                                most->variance.value, most->variance.note, ratio,
                                least->variance.value, least->tensor->name(), threshold_)});
    }
  }

  void EvaluateGradient(TensorView& gradient, Verdicts* verdicts) {
    const auto spread = PercentileSpread(gradient);
    const bool wide = spread && spread->value >= range_;
    if (!spread || (wide && spread->at_most)) {
      verdicts->Skip(gradient, WhyNoStatistic(gradient));
      return;
    }
    const BestLoss* loss = losses_.LeastStalled(gradient.worker(), mode_);
    const bool stalled = loss != nullptr && loss->steps_since >= patience_;
    if (wide || (loss != nullptr && !stalled && !any_)) {
      verdicts->Healthy(gradient);
      return;
    }
    std::string what = fmt::format("spread p95 - p5 {:.3g} is below {:g}", spread->value, range_);
    if (stalled) what += " and " + StallText(*loss);
    firings_.Add(gradient, {spread->value, range_, what});
  }

  void EvaluateWeight(TensorView& weight, Verdicts* verdicts) {
    const trial::TensorValue* value = weight.Raw();
    if (value == nullptr) {
      verdicts->Skip(weight, kNoRawValues);
    } else if (!HasUnits(*value)) {
      verdicts->Skip(weight, "fewer than two units with two weights each");
    } else if (!UnitsAreEqual(*value)) {
      verdicts->Healthy(weight);
    } else if (weight.Summary() == nullptr || weight.Summary()->finite_count() == 0) {
      verdicts->Skip(weight, WhyNoStatistic(weight));
    } else {
      firings_.Add(weight, {static_cast<double>(value->shape[0]), 1,
                            fmt::format("all {} rows are equal, so all units learn the same",
                                        value->shape[0])});
    }
  }

  const std::vector<std::string> patterns_;
  const double threshold_;
  const double range_;
  const int64_t patience_;
  const int64_t steps_;
  const bool any_;
  int64_t steps_seen_ = 0;
  Mode mode_ = Mode::kGlobal;  // Of the step at hand.
  LossProgress losses_;
  Firings firings_;
};

}  // namespace

RuleEntry PoorWeightInitialization() {
  static constexpr Param kParams[] = {
      {"activation_inputs_regex", ParamType::kPatterns, "",
       "Activation inputs: regular expressions matched anywhere in the name"},
      {"threshold", ParamType::kNumber, "10.0",
       "Maximum ratio between the variances of two activation inputs", 0},
      {"distribution_range", ParamType::kNumber, "0.001",
       "Minimum distance between the 5th and 95th percentile of a gradient", 0},
      {"patience", ParamType::kInteger, "5",
       "Saved steps without a new best loss before the rule "
       "fires",
       1},
      {"steps", ParamType::kInteger, "10",
       "Number of saved training steps to check, from the "
       "first",
       1},
      {"compat_any", ParamType::kSwitch, "False",
       "Fire on a stalled loss alone or on narrow gradients alone"}};
  static constexpr Saves kSaves[] = {{"relu_input", ".*relu_input|.*ReLU_input"},
                                     {"gradients", "", true},
                                     {"weights", "", true},
                                     {"losses", ""}};
  static constexpr RuleSpec kSpec{
      "PoorWeightInitialization",
      "The first steps suggest that the initial weights do not fit the model.",
      "Use the initialization that fits the activation: He for ReLU, Xavier for tanh and sigmoid. "
      "Do not initialize two units of a layer with the same weights. Check the scale of the "
      "inputs.",
      kParams, kSaves};
  return {&kSpec, Make<PoorInitialization>};
}

}  // namespace warden::rules
