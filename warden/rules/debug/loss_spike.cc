#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/loss.h"
#include "warden/rules/per_tensor.h"
#include "warden/rules/running_window.h"

namespace warden::rules {
namespace {

class Spike : public Rule {
 public:
  explicit Spike(const Params& params)
      : selector_(LossSelector(params)),
        threshold_(params.Number("threshold")),
        window_(static_cast<size_t>(params.Integer("window"))),
        min_steps_(params.Integer("min_steps")),
        least_rise_(params.Number("min_increase_percent")),
        patience_(params.Integer("patience")) {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    if (!step.IsTraining()) {
      if (verdicts->too_little().empty()) verdicts->TooLittle("no losses saved at training steps");
      return Status();
    }
    for (TensorView* tensor : step.Input(0)) {
      EvaluateLoss(*tensor, &histories_.Of(*tensor, step.mode()), verdicts);
    }
    return Status();
  }

 private:
  struct History {
    RunningWindow usual;
    int64_t in_a_row = 0;           // Spikes.
    std::vector<double> held_back;  // Of these, as long as they may be only that.
  };

  void EvaluateLoss(TensorView& tensor, History* history, Verdicts* verdicts) const {
    const auto loss = Mean(tensor);
    const bool enough = history->usual.size() >= min_steps_;
    if (!loss) {  // ExplodingTensor tells of one that is not finite.
      verdicts->Skip(tensor, WhyNoStatistic(tensor));
      return;
    }
    if (!enough) {
      history->usual.Add(loss->value, window_);
      verdicts->TooLittle(
          fmt::format("needs {} training losses, found {}", min_steps_, history->usual.size() - 1));
      return;
    }
    const double median = history->usual.Median();
    const double rise = loss->value - median;
    const double score = rise / history->usual.RobustDeviation(median);
    // The percentage keeps a loss that hardly moves, which has next to no deviation, from firing.
    const bool spike =
        rise > 0 && score > threshold_ && rise >= least_rise_ / 100 * std::abs(median);
    Remember(loss->value, spike, history);
    if (!spike) {
      verdicts->Healthy(tensor);
      return;
    }
    verdicts->Fire(tensor,
                   {score, threshold_,
                    fmt::format("loss {:.4g} is {:.3g} deviations above the median {:.4g} of the "
                                "last {} losses (threshold {:g})",
                                loss->value, score, median, history->usual.size(), threshold_)});
  }

  // A spike does not change what is usual, unless it lasts: then it may be the new level.
  void Remember(double loss, bool spike, History* history) const {
    if (!spike) {
      history->in_a_row = 0;
      history->held_back.clear();
      history->usual.Add(loss, window_);
      return;
    }
    history->held_back.push_back(loss);
    if (++history->in_a_row < patience_) return;
    for (const double value : history->held_back) history->usual.Add(value, window_);
    history->held_back.clear();
  }

  const Selector selector_;
  const double threshold_;
  const size_t window_;
  const int64_t min_steps_;
  const double least_rise_;
  const int64_t patience_;
  PerTensor<History> histories_;
};

Result<std::unique_ptr<Rule>> MakeSpike(const Params& params) {
  if (Status status = CheckWindow(params); !status.ok()) return status;
  return Make<Spike>(params);
}

}  // namespace

RuleEntry LossSpike() {
  static constexpr Param kParams[] = {
      kCollectionNames,
      kTensorRegex,
      {"threshold", ParamType::kNumber, "10",
       "Maximum robust z-score (distance from the median in deviations)", 0},
      {"min_increase_percent", ParamType::kNumber, "50",
       "Minimum height of a spike above the median, in percent", 0},
      {"window", ParamType::kInteger, "50", "Number of recent losses that define the usual range",
       2, 1e6},
      {"min_steps", ParamType::kInteger, "20", "Number of losses needed before the first check", 2},
      {"patience", ParamType::kInteger, "5",
       "Consecutive spikes after which their level counts as usual", 1, 1e6}};
  static constexpr Saves kSaves[] = {{"losses", ""}};
  static constexpr RuleSpec kSpec{
      "LossSpike", "The loss jumped far above its usual range.",
      "Inspect the batch of this step. If spikes continue, resume from a checkpoint before the "
      "spike and skip the batch, lower the learning rate, extend the warmup, or clip gradients.",
      kParams, kSaves};
  return {&kSpec, MakeSpike};
}

}  // namespace warden::rules
