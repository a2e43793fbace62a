#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "warden/rules/finite_statistics.h"
#include "warden/rules/running_window.h"
#include "warden/rules/training/training_rules.h"
#include "warden/rules/training/training_state.h"

namespace warden::rules {
namespace {

constexpr size_t kUsualWindow = 30;
constexpr double kInputJump = 30;     // Times the usual largest input.
constexpr double kNormJump = 100;     // Times the usual gradient norm.
constexpr double kLargeUpdate = 0.1;  // Of the norm of a weight.
constexpr double kRateRise = 5;

// Functions whose results are never negative.
constexpr std::array<std::string_view, 6> kNotNegative = {
    "cross_entropy",       "nll_loss", "mse_loss", "l1_loss", "binary_cross_entropy_with_logits",
    "binary_cross_entropy"};

class Diverging : public Rule {
 public:
  explicit Diverging(const Params& params)
      : rise_(params.Number("rise")), patience_(params.Integer("patience")) {}

  std::vector<Selector> inputs() const override {
    auto inputs = TrainingState::Inputs();
    inputs.push_back({.collections = {"weights", "biases"}});
    inputs.push_back({.collections = {"gradients"}});
    return inputs;
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    state_.Read(step);
    if (!step.IsTraining()) return Status();
    if (state_.is_new_phase()) rising_ = 0;
    const auto bad_input = state_.log().Now("input_not_finite");
    if (bad_input) bad_input_at_ = step.step();
    if (!state_.broken().empty()) ++broken_;
    if (broken_ > 0 && cause_.empty()) cause_ = WhyBroken(step);
    if (broken_ > 0) {
      verdicts->FireRun("", "", {1, 0, cause_, advice_});
    } else {
      CheckRise(step, verdicts);
    }
    verdicts->HealthyRun();
    Remember(step);
    return Status();
  }

 private:
  void Remember(const StepView& step) {
    const TrainingLog& log = state_.log();
    if (const auto update = log.Now("update_ratio"); update && std::isfinite(*update)) {
      updates_.Add(*update, kUsualWindow);
    }
    if (const auto largest = log.Now("input_largest"); largest && std::isfinite(*largest)) {
      if (inputs_.size() < 5 || *largest < kInputJump * inputs_.Median()) {
        inputs_.Add(*largest, kUsualWindow);
      } else {
        jump_ = *largest / std::max(inputs_.Median(), 1e-30);
        jump_at_ = step.step();
      }
    }
    if (const auto rate = log.Now("learning_rate")) {
      lowest_rate_ = lowest_rate_ == 0 ? *rate : std::min(lowest_rate_, *rate);
    }
    double squares = 0;
    for (TensorView* gradient : step.Input(3)) {
      if (const auto norm = Norm(*gradient)) squares += norm->value * norm->value;
    }
    if (squares > 0 && std::isfinite(squares)) {
      norm_ = std::sqrt(squares);
      norms_.Add(norm_, kUsualWindow);
    }
  }

  // A loss is not finite for the first time.
  std::string WhyBroken(const StepView& step) {
    const TrainingLog& log = state_.log();
    const std::string loss = fmt::format("the loss is NaN or infinite{}", log.Line("loss_line"));
    if (bad_input_at_ == step.step()) {
      advice_ = "Find the samples with NaN or infinite values, and clean or skip them.";
      return fmt::format(
          "the inputs of the model contain NaN or infinite values: {:g} of this "
          "batch; {}",
          log.Now("input_not_finite").value_or(1), loss);
    }
    if (const auto growth = WhyGrowing(step); !growth.empty()) {
      return fmt::format("{}: {}", loss, growth);
    }
    for (TensorView* weight : step.Input(2)) {
      const auto bad = CountNonFinite(*weight);
      if (!bad || bad->nan + bad->inf == 0) continue;
      advice_ =
          "Gradients were not finite at the step before: check the loss for log(0), sqrt(0) "
          "and divisions, clip gradients, and lower the learning rate.";
      return fmt::format("{}: weights are not finite since the last update (first: {})", loss,
                         Short(weight->name()));
    }
    advice_ =
        "Check the loss and the last layers for log or sqrt of zero or negative values, and for "
        "divisions by zero: add a small epsilon, or use a stable function (log_softmax, "
        "binary_cross_entropy_with_logits).";
    return fmt::format(
        "{}, with finite inputs and weights: log(0), sqrt or a division by zero in "
        "the forward pass or the loss",
        loss);
  }

  // Why values have become too large, if something shows it.
  std::string WhyGrowing(const StepView& step) {
    const TrainingLog& log = state_.log();
    if (jump_at_ >= 0 && step.step() - jump_at_ <= 50) {
      advice_ =
          "Look at the batch of that step: outliers, wrong units, or a corrupt file. Clip or "
          "check inputs in the dataset.";
      return fmt::format(
          "a batch at step {} had inputs {:.2g} times larger than usual (corrupt "
          "data)",
          jump_at_, jump_);
    }
    const double rate = log.Last("learning_rate").value_or(0);
    if (const auto value = log.Last("backward_value");
        value && *value < 0 && IsNotNegative(log.Text("loss_function"))) {
      advice_ = "Check the sign: minimize the loss itself, not its negative.";
      return fmt::format(
          "the sign of the loss is wrong: backward runs on a negative value ({:.3g}), "
          "so training maximizes it{}",
          *value, log.Line("backward_line"));
    }
    if (lowest_rate_ > 0 && rate > kRateRise * lowest_rate_ && state_.steps() > 30) {
      advice_ = "Lower the peak of the learning rate schedule, or check that it falls again.";
      return fmt::format("the learning rate rose from {:.3g} to {:.3g}", lowest_rate_, rate);
    }
    const bool summed = log.Text("loss_reduction") == "sum";
    if (updates_.size() >= 2 && updates_.Median() > kLargeUpdate) {
      if (summed) {
        advice_ = "Use reduction='mean', or divide the learning rate by the batch size.";
        return fmt::format(
            "the loss is summed over the batch (reduction='sum'), which makes "
            "gradients and updates too large: {:.2g} of the weights per step",
            updates_.Median());
      }
      advice_ = "Lower the learning rate by a factor of 10 to 1000, or warm it up.";
      return fmt::format(
          "the learning rate {:.3g} is too high: each update changes the weights by "
          "{:.2g} of their size",
          rate, updates_.Median());
    }
    if (norms_.size() >= 5 && norm_ > kNormJump * norms_.Median()) {
      advice_ =
          "Clip gradients (torch.nn.utils.clip_grad_norm_), use a smaller initialization for "
          "recurrent weights, or lower the learning rate.";
      return fmt::format("gradients explode: their norm is {:.2g}, {:.2g} times the usual", norm_,
                         norm_ / norms_.Median());
    }
    return "";
  }

  static bool IsNotNegative(std::string_view function) {
    return std::find(kNotNegative.begin(), kNotNegative.end(), function) != kNotNegative.end();
  }

  void CheckRise(const StepView& step, Verdicts* verdicts) {
    const bool rises =
        std::any_of(state_.losses().begin(), state_.losses().end(), [&](const auto& loss) {
          const LossCurve& curve = loss.second;
          return curve.count() > 10 && curve.first() > 0 &&
                 curve.recent() > rise_ * curve.first() &&
                 curve.recent() > 2 * rise_ * curve.lowest() - curve.noise() &&
                 curve.last() > curve.first();
        });
    rising_ = rises ? rising_ + 1 : 0;
    if (rising_ < patience_) return;
    if (why_rising_.empty()) {
      why_rising_ = WhyGrowing(step);
      if (why_rising_.empty()) {
        why_rising_ = "no single cause shows";
        advice_ =
            "Lower the learning rate, clip gradients, and look at the batches before the rise.";
      }
    }
    const LossCurve& worst =
        std::max_element(state_.losses().begin(), state_.losses().end(),
                         [](const auto& a, const auto& b) {
                           return a.second.recent() / std::max(a.second.first(), 1e-30) <
                                  b.second.recent() / std::max(b.second.first(), 1e-30);
                         })
            ->second;
    verdicts->FireRun(
        "", "",
        {worst.recent() / worst.first(), rise_,
         fmt::format("training diverges: the loss {:.3g} is {:.2g} times its start; {}",
                     worst.recent(), worst.recent() / worst.first(), why_rising_),
         advice_});
  }

  const double rise_;
  const int64_t patience_;
  TrainingState state_;
  RunningWindow updates_;
  RunningWindow inputs_;
  RunningWindow norms_;
  double norm_ = 0;
  double lowest_rate_ = 0;
  double jump_ = 0;
  Step jump_at_ = -1;
  Step bad_input_at_ = -1;
  int64_t broken_ = 0;
  int64_t rising_ = 0;
  std::string cause_;
  std::string why_rising_;
  std::string advice_;
};

}  // namespace

RuleEntry Divergence() {
  static constexpr Param kParams[] = {
      {"rise", ParamType::kNumber, "4", "Times its start that a loss must reach", 1},
      {"patience", ParamType::kInteger, "5", "Steps in a row that it must stay there", 1}};
  static constexpr Saves kSaves[] = {{"losses", ""}, {"weights", ""}, {"gradients", ""}};
  static constexpr RuleSpec kSpec{
      "Divergence", "The loss rises far above where it started, or is not finite.",
      "Lower the learning rate, clip gradients, and check the data.", kParams, kSaves};
  return {&kSpec, Make<Diverging>};
}

}  // namespace warden::rules
